import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examineSite } from '../src/network/doctor/examine.ts'
import { fixSite } from '../src/network/doctor/fix.ts'
import { renderById } from '../test/support/render-by-id.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { TEXTS } from './support/texts.ts'

let fixture: CompatFixture
let page = 0
beforeAll(async () => {
  fixture = await createCompatFixture()
  ;[page = 0] = await fixture.wp<number[]>('make_pages', [{ title: 'Page' }])
})
afterAll(() => fixture?.close())

const HTML = `<p>${TEXTS.join(' ')}</p><!-- svc/frame {"name":"inner"} /-->`

/** Records as an endpoint in PHP wrote them with update_option, from its first version to its last. */
const FORMS: Record<string, unknown> = {
  bare: HTML,
  json: JSON.stringify({ slug: 'json', html: HTML, updated_by: 4 }),
  'json-markup': JSON.stringify({ markup: HTML }),
  array: { slug: 'array', html: HTML, created_at_gmt: '2019-01-02 03:04:05', updated_by: '7' },
  'array-markup': { markup: HTML },
  'array-content': { content: HTML, type: 'page', default: true },
  'looks-serialized': 'a:1:{i:0;s:1:"x";}',
}
const SLUGS = Object.keys(FORMS)
const idOf = (slug: string): string => `${SLUGS.indexOf(slug)}`.padStart(16, 'abcdef')

const call = <T>(...calls: readonly (readonly [string, readonly unknown[]])[]) =>
  fixture.wp<T[]>('calls', calls)

/** Stores the records with WordPress, with or without the list of their slugs. */
async function store(withList: boolean): Promise<void> {
  const { wp } = fixture
  await wp('calls', [
    ...['svc_frames', 'svc_frames_version'].map((name) => ['delete_option', [name]]),
    ...SLUGS.flatMap((slug) => [
      ...['', '_meta', '_baked'].map((end) => ['delete_option', [`svc_frame_${idOf(slug)}${end}`]]),
      ['update_option', [`svc_frame_${idOf(slug)}`, FORMS[slug]]],
    ]),
    ...(withList
      ? [
          [
            'update_option',
            ['svc_frames', Object.fromEntries(SLUGS.map((slug) => [idOf(slug), slug]))],
          ],
        ]
      : []),
  ])
}

type Frame = {
  readonly id: string
  readonly slug: string
  readonly html: string
  readonly frame_refs: string[]
}
const read = async (ref: string): Promise<Frame> =>
  (await fixture.done<{ frame: Frame }>('get', `/frames/${ref}`)).frame

const markupOf = (slug: string): string =>
  slug === 'looks-serialized' ? 'a:1:{i:0;s:1:"x";}' : HTML

describe('frames of an older endpoint', () => {
  it('are listed and read without meta and baked copy', async () => {
    await store(true)
    const { frames } = await fixture.done<{ frames: Frame[] }>('get', '/frames')
    expect(frames.map(({ slug }) => slug)).toEqual([...SLUGS].sort())
    for (const slug of SLUGS)
      expect([slug, (await read(slug)).html]).toEqual([slug, markupOf(slug)])
    expect((await read('bare')).frame_refs).toEqual(['inner'])
  })

  it('are reported by the doctor, which updates their format and keeps their markup', async () => {
    await store(true)
    const { db, globals } = fixture.network
    const { executor, site } = fixture
    const services = { db, globals, executor, copies: undefined, now: () => new Date() }
    const older = async () =>
      (await examineSite(services, site)).filter(({ check }) => check === 'record_older')
    expect((await older()).map(({ message: what }) => what)).toEqual(
      [...SLUGS]
        .sort()
        .map((slug) => `The frame "${slug}" (${idOf(slug)}) is stored in an older format.`),
    )
    await fixSite(services, site)
    expect(await older()).toEqual([])
    for (const slug of SLUGS) {
      const [record] = await call<object>(['get_option', [`svc_frame_${idOf(slug)}`]])
      expect(record).toMatchObject({
        slug,
        html: markupOf(slug),
        updated_at_gmt: expect.any(String),
      })
    }
    expect((await examineSite(services, site)).map(({ check }) => check)).not.toContain(
      'meta_missing',
    )
  })

  it.each(SLUGS)('get the current format at the next write: "%s"', async (slug) => {
    await store(true)
    await fixture.done('put', `/frames/${slug}`, { html: `${HTML}!` })
    const [record] = await call<object>(['get_option', [`svc_frame_${idOf(slug)}`]])
    expect(record).toMatchObject({ slug, html: `${HTML}!`, updated_by: expect.any(Number) })
    const [meta] = await call<string>(['get_option', [`svc_frame_${idOf(slug)}_meta`]])
    expect(JSON.parse(meta ?? '')).toMatchObject({ references: ['inner'] })
  })

  it.each(SLUGS)('keep their markup when they are renamed: "%s"', async (slug) => {
    await store(true)
    await fixture.done('patch', `/frames/${slug}`, { slug: `${slug}-new` })
    const [record] = await call<object>(['get_option', [`svc_frame_${idOf(slug)}`]])
    expect(record).toMatchObject({ slug: `${slug}-new`, html: markupOf(slug) })
  })

  it('are rewritten when a frame that they embed is renamed', async () => {
    await store(true)
    await fixture.done('post', '/frames', { slug: 'inner', html: 'x' })
    const { renamed } = await fixture.done<{ renamed: { frames_updated: string[] } }>(
      'patch',
      '/frames/inner',
      { slug: 'renamed' },
    )
    expect(renamed.frames_updated.sort()).toEqual(
      SLUGS.filter((slug) => slug !== 'looks-serialized').sort(),
    )
    expect((await read('array-content')).html).toBe(HTML.replace('"inner"', '"renamed"'))
  })

  it('are built into their pages', async () => {
    await store(true)
    await call(['update_post_meta', [page, '_svc_frame', idOf('bare')]])
    expect(await renderById(fixture.executor, fixture.network.db, fixture.site, page)).toContain(
      '<p>Über uns &',
    )
  })

  it('are found without the list of slugs, by their slug if the record has one, else by their id', async () => {
    await store(false)
    const { frames } = await fixture.done<{ frames: Frame[] }>('get', '/frames')
    expect(frames.map(({ id }) => id)).toEqual(expect.arrayContaining(SLUGS.map(idOf)))
    expect((await read('json')).id).toBe(idOf('json'))
    expect((await read('array')).id).toBe(idOf('array'))
    expect((await read(idOf('bare'))).html).toBe(HTML)
    await fixture.done('patch', `/frames/${idOf('bare')}`, { slug: 'bare-again' })
    const [list] = await call<Record<string, string>>(['get_option', ['svc_frames']])
    expect(list).toMatchObject({ [idOf('bare')]: 'bare-again', [idOf('json')]: 'json' })
  })
})
