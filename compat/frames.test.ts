import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { TEXTS } from './support/texts.ts'

let fixture: CompatFixture
let page = 0
beforeAll(async () => {
  fixture = await createCompatFixture()
  ;[page = 0] = await fixture.wp<number[]>('make_pages', [{ title: 'Page' }])
})
afterAll(() => fixture?.close())

type Frame = { readonly id: string; readonly slug: string; readonly html: string }

const make = async (slug: string, html = `<p>${slug}</p>`): Promise<Frame> =>
  (await fixture.done<{ frame: Frame }>('post', '/frames', { slug, html })).frame

const read = async (ref: string): Promise<Frame & { readonly pages?: readonly number[] }> =>
  (await fixture.done<{ frame: Frame }>('get', `/frames/${ref}`)).frame

/** The value of an option in PHP. */
const option = async <T>(name: string): Promise<T> =>
  (await fixture.wp<T[]>('calls', [['get_option', [name]]]))[0] as T

/** Writes options with WordPress. */
const update = (options: Record<string, unknown>) =>
  fixture.wp(
    'calls',
    Object.entries(options).map(([name, value]) => ['update_option', [name, value, false]]),
  )

const HTML = `<!DOCTYPE html>\r\n<body>\t${TEXTS.join('\n')}\u0001\uFEFF<!-- svc/content /-->\n</body>\n`

describe('WordPress reads, of frames that the API wrote,', () => {
  it('the record, byte for byte', async () => {
    const { id } = await make('page', HTML)
    expect(await option(`svc_frame_${id}`)).toEqual({
      slug: 'page',
      html: HTML,
      created_at_gmt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updated_at_gmt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updated_by: expect.any(Number),
    })
  })

  it('the list of their slugs after each write', async () => {
    const { id } = await make('card')
    expect((await option<Record<string, string>>('svc_frames'))[id]).toBe('card')
    await fixture.done('patch', '/frames/card', { slug: 'card--big' })
    expect((await option<Record<string, string>>('svc_frames'))[id]).toBe('card--big')
    await fixture.done('delete', '/frames/card--big')
    expect((await option<Record<string, string>>('svc_frames'))[id]).toBeUndefined()
    expect(await option(`svc_frame_${id}`)).toBe(false)
  })

  it('the new slug in frames that embed a renamed frame', async () => {
    await make('inner')
    const { id } = await make('outer', '<!-- svc/frame {"name":"inner"} /-->')
    await fixture.done('patch', '/frames/inner', { slug: 'inner--new' })
    expect(await option(`svc_frame_${id}`)).toMatchObject({
      html: '<!-- svc/frame {"name":"inner--new"} /-->',
    })
  })

  it('the frame of a page, and that a page has none', async () => {
    const { id } = await make('stand')
    const meta = async () =>
      (await fixture.wp<unknown[]>('calls', [['get_post_meta', [page, '_svc_frame']]]))[0]
    await fixture.done('post', '/frames/stand/assign', { page })
    expect(await meta()).toEqual([id])
    await fixture.done('post', '/frames/stand/assign', { page, clear: true })
    expect(await meta()).toEqual([])
  })

  it('none with the autoloaded options', async () => {
    const [loaded] = await fixture.wp<[Record<string, string>]>('calls', [
      ['wp_load_alloptions', []],
    ])
    expect(Object.keys(loaded)).toContain('blogname')
    expect(Object.keys(loaded).filter((name) => name.startsWith('svc_'))).toEqual([])
  })
})

describe('the API reads, of frames that WordPress wrote,', () => {
  it('a record with changed markup', async () => {
    const { id } = await make('changed')
    const record = await option<object>(`svc_frame_${id}`)
    const html = `${HTML}<!-- svc/menu {"location":"header"} /-->`
    // An older endpoint does not know the meta: it writes only the record.
    await update({ [`svc_frame_${id}`]: { ...record, html } })
    expect(await read('changed')).toMatchObject({
      html,
      bytes: Buffer.byteLength(html),
      inserts: { 'op/menu': 1, 'op/content': 1 },
    })
  })

  it('the pages on a frame', async () => {
    const { id } = await make('bound')
    await fixture.wp('calls', [['update_post_meta', [page, '_svc_frame', id]]])
    expect((await read('bound')).pages).toEqual([page])
    await fixture.wp('calls', [['delete_post_meta', [page, '_svc_frame']]])
    expect((await read('bound')).pages ?? []).toEqual([])
  })

  it('all frames of a copied site', async () => {
    const copy = await createCompatFixture()
    try {
      await make('copied', HTML)
      const registry = await option<Record<string, string>>('svc_frames')
      const names = ['svc_frames', ...Object.keys(registry).map((id) => `svc_frame_${id}`)]
      const options: [string, unknown][] = []
      for (const name of names) options.push([name, await option(name)])
      await copy.wp(
        'calls',
        options.map(([name, value]) => ['add_option', [name, value, '', 'no']]),
      )
      const { frames } = await copy.done<{ frames: { slug: string }[] }>('get', '/frames')
      expect(frames.map(({ slug }) => slug)).toEqual(Object.values(registry).sort())
      const answer = await copy.done<{ frame: Frame }>('get', '/frames/copied')
      expect(answer.frame.html).toBe(HTML)
    } finally {
      await copy.close()
    }
  })

  it('data sets, as arrays and as JSON', async () => {
    const rows = TEXTS.map((text, index) => ({ text, index, more: { yes: true, none: null } }))
    await update({ svc_data_array: rows, svc_data_json: JSON.stringify(rows) })
    const items = async (name: string) =>
      (await fixture.done<{ items: unknown }>('get', `/data/dataset.${name}`)).items
    expect(await items('json')).toEqual(rows)
    expect(await items('array')).toEqual(rows)
  })

  it('the name of the site', async () => {
    for (const name of TEXTS) {
      await update({ blogname: name })
      const { value } = await fixture.done<{ value: string }>('get', '/data/site.title')
      const [shown] = await fixture.wp<string[]>('calls', [['get_option', ['blogname']]])
      const [plain] = await fixture.wp<string[]>('calls', [
        ['html_entity_decode', [shown, 3 | 48, 'UTF-8']],
      ])
      expect(value).toBe(plain)
    }
  })
})
