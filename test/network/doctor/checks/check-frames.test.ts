import { describe, expect, it } from 'vitest'
import { encodePhp, removeValue, setValue } from '#php-serialized'
import {
  bakedOption,
  metaOption,
  recordOption,
} from '../../../../src/content/frames/option-names.ts'
import { readFrame } from '../../../../src/content/frames/read-frame.ts'
import { readRegistry } from '../../../../src/content/frames/registry.ts'
import type { CheckCode } from '../../../../src/network/doctor/check-codes.ts'
import { useDoctorFixture } from '../doctor-fixture.ts'

let card = ''
const shop = await useDoctorFixture()
card = await shop.publish('card', '<b data-op-bind="site.title">x</b>')
await shop.publish(
  'page',
  '<h1 data-op-bind="page.title">x</h1><!-- svc/frame {"name":"card"} /-->',
  [10, 11],
)

const LOST = 'aaaaaaaaaaaaaaa1'
const textOf = async (name: string): Promise<string> => (await shop.option(name)) ?? ''
const edit = async (name: string, change: (text: string) => string): Promise<void> =>
  shop.setOption(name, change(await textOf(name)))
const editRegistry = (id: string, slug: string | undefined) =>
  edit('svc_frames', (text) =>
    slug === undefined ? removeValue(text, [id]) : setValue(text, [id], encodePhp(slug)),
  )
const listedSlugs = async () =>
  (await readRegistry(shop.network.db, shop.site)).all().map(({ slug }) => slug)
const markupOf = async (slug: string) => {
  const { db } = shop.network
  const name = (await readRegistry(db, shop.site)).get(slug)
  return (await readFrame(db, shop.site, name)).record.html
}
const { found } = shop

it('the doctor reports no problems of frames that the service wrote', async () => {
  expect(await shop.examine()).toEqual([])
})

describe('finds and fixes', () => {
  it.each([
    ['missing', () => shop.deleteOption(metaOption(card))],
    ['damaged', () => shop.setOption(metaOption(card), '{"bytes":')],
  ])('a meta that is %s', async (_, plant) => {
    await plant()
    expect(await found()).toEqual([
      `warning meta_missing: The frame "card" (${card}) has no readable meta.`,
    ])
    await shop.fix()
    expect(await shop.examine()).toEqual([])
  })

  it('a record that its meta and its copies do not match', async () => {
    await edit(recordOption(card), (text) => setValue(text, ['html'], encodePhp('<i>new</i>')))
    expect(await found()).toEqual([
      `error meta_differs: The meta of the frame "card" (${card}) does not match the markup in its record.`,
    ])
    await shop.fix()
    expect(await shop.examine()).toEqual([])
    expect(await shop.executor.renderById(shop.site, 10)).toContain('<i>new</i>')
  })

  it('a record with another slug than the registry', async () => {
    await edit(recordOption(card), (text) => setValue(text, ['slug'], encodePhp('other')))
    expect(await shop.codes()).toEqual(['record_slug_differs'])
    await shop.fix()
    expect(await shop.examine()).toEqual([])
    expect(await textOf(recordOption(card))).toContain('s:4:"slug";s:4:"card";')
  })

  it('records in older formats', async () => {
    const forms = {
      aaaaaaaaaaaaaaa2: '<p>bare</p>',
      aaaaaaaaaaaaaaa3: '{"markup":"<p>json</p>","updated_by":4}',
      aaaaaaaaaaaaaaa4: 'a:1:{s:7:"content";s:12:"<p>array</p>";}',
    }
    for (const [index, [id, text]] of Object.entries(forms).entries()) {
      await shop.setOption(recordOption(id), text)
      await editRegistry(id, `old-${index}`)
    }
    expect(await found('record_older')).toEqual(
      Object.keys(forms).map(
        (id, index) =>
          `info record_older: The frame "old-${index}" (${id}) is stored in an older format.`,
      ),
    )
    await shop.fix()
    expect(await shop.codes()).toEqual(['frame_unused'])
    expect(await markupOf('old-1')).toBe('<p>json</p>')
    expect(await textOf(recordOption('aaaaaaaaaaaaaaa3'))).toMatch(
      /^a:5:\{s:4:"slug";s:5:"old-1";.*"0000-00-00 00:00:00".*i:4;\}$/,
    )
    for (const [index, id] of Object.keys(forms).entries()) {
      await editRegistry(id, undefined)
      for (const name of [recordOption(id), metaOption(id), bakedOption(id)])
        await shop.deleteOption(name)
      expect(await listedSlugs()).not.toContain(`old-${index}`)
    }
    expect(await shop.examine()).toEqual([])
  })

  it('records that are not in the registry, with slugs that are free', async () => {
    const second = 'aaaaaaaaaaaaaaa5'
    await shop.setOption(recordOption(LOST), encodePhp({ slug: 'lost', html: 'x' }))
    await shop.setOption(recordOption(second), encodePhp({ slug: 'card', html: 'y' }))
    expect(await found()).toEqual(
      [LOST, second].map(
        (id) => `error record_unlisted: The frame ${id} has a record but is not in the registry.`,
      ),
    )
    await shop.fix()
    expect(await shop.codes()).toEqual(['frame_unused'])
    expect(await listedSlugs()).toEqual([second, 'card', 'lost', 'page'])
    expect(await markupOf('card')).toBe('<i>new</i>')
  })

  it('leftover options of deleted frames', async () => {
    for (const name of [recordOption(LOST)]) await shop.deleteOption(name)
    await editRegistry(LOST, undefined)
    expect(await found('leftover_option', 'record_missing')).toEqual([
      `warning leftover_option: The deleted frame ${LOST} still has a meta or a baked copy.`,
    ])
    await shop.fix()
    expect(await found('leftover_option')).toEqual([])
    expect(await shop.option(bakedOption(LOST))).toBeUndefined()
    expect(await listedSlugs()).toEqual(['aaaaaaaaaaaaaaa5', 'card', 'page'])
  })

  it('a missing registry', async () => {
    const before = await textOf('svc_frames')
    await edit(recordOption('aaaaaaaaaaaaaaa5'), (text) =>
      setValue(text, ['slug'], encodePhp('fifth')),
    )
    await shop.deleteOption('svc_frames')
    expect(await found('registry_missing')).toEqual([
      'warning registry_missing: The site has frames (3) but no registry (option svc_frames).',
    ])
    await shop.fix()
    expect(await shop.codes()).toEqual(['frame_unused'])
    expect(await listedSlugs()).toEqual(['card', 'fifth', 'page'])
    await shop.setOption('svc_frames', before)
    await shop.fix()
  })

  it.each<[string, CheckCode, () => Promise<unknown>]>([
    ['a frame without a baked copy', 'copy_missing', () => shop.deleteOption(bakedOption(card))],
    [
      'a baked copy in another format',
      'copy_missing',
      () => edit(bakedOption(card), (text) => text.replace('"format":', '"format":9')),
    ],
    [
      'a stale baked copy',
      'copy_stale',
      () => edit(bakedOption(card), (text) => text.replace(/"sha256":"../, '"sha256":"00')),
    ],
  ])('%s', async (_, check, plant) => {
    await plant()
    expect(await found('copy_missing', 'copy_stale')).toEqual([
      expect.stringMatching(`warning ${check}: .*"card"`),
    ])
    await shop.fix()
    expect(await found('copy_missing', 'copy_stale')).toEqual([])
  })

  it('copies that are stale because a setting was changed outside the service', async () => {
    await shop.publish('title', '<b data-op-bind="site.title"></b>', [7])
    await shop.setOption('blogname', 'Renamed')
    expect(await found()).toEqual([
      expect.stringMatching('frame_unused'),
      expect.stringMatching('copy_stale: .*"title"'),
    ])
    await shop.fix()
    expect(await shop.codes()).toEqual(['frame_unused'])
  })

  it('frame assignments of deleted pages', async () => {
    const { postmeta } = shop.site.tables
    await shop.network.db
      .sql(postmeta)
      .insert({ post_id: 4711, meta_key: '_svc_frame', meta_value: card })
    expect(await found('page_gone')).toEqual([
      'info page_gone: Page 4711 does not exist but is still assigned to a frame.',
    ])
    await shop.fix()
    expect(await found('page_gone')).toEqual([])
    expect(await shop.network.db.sql(postmeta).where({ post_id: 4711 })).toEqual([])
  })
})

describe('reports without fixing', () => {
  /** Expects the same finding before and after the fixes are applied. */
  async function expectUnfixed(finding: string): Promise<void> {
    const check = finding.split(/[ :]/)[1] as CheckCode
    expect(await found(check)).toEqual([finding])
    await shop.fix()
    expect(await found(check)).toEqual([finding])
  }

  it('a damaged registry', async () => {
    const before = await textOf('svc_frames')
    await shop.setOption('svc_frames', before.slice(0, -4))
    expect(await found()).toEqual([
      "error registry_unreadable: The registry of the site's frames (option svc_frames) is damaged.",
    ])
    await shop.fix()
    expect(await textOf('svc_frames')).toBe(before.slice(0, -4))
    await shop.setOption('svc_frames', before)
  })

  it('two frames with the same slug', async () => {
    await editRegistry('aaaaaaaaaaaaaaa5', 'card')
    await expectUnfixed(
      `error slug_shared: The frames ${card}, aaaaaaaaaaaaaaa5 have the same slug "card".`,
    )
    await editRegistry('aaaaaaaaaaaaaaa5', 'fifth')
    await shop.fix()
  })

  it('a frame without its record', async () => {
    await editRegistry('bbbbbbbbbbbbbbb1', 'nothing')
    await expectUnfixed(
      'error record_missing: The frame "nothing" (bbbbbbbbbbbbbbb1) is in the registry but has no record.',
    )
    await editRegistry('bbbbbbbbbbbbbbb1', undefined)
  })

  it('a damaged record', async () => {
    await shop.publish('damaged', 'x')
    const id = await shop.idOf('damaged')
    const cut = (await textOf(recordOption(id))).slice(0, -2)
    await shop.setOption(recordOption(id), cut)
    await expectUnfixed(
      `error record_unreadable: The record of the frame "damaged" (${id}) is damaged or contains no markup.`,
    )
    expect(await textOf(recordOption(id))).toBe(cut)
    await editRegistry(id, undefined)
    await expectUnfixed(
      `error record_unlisted: The frame ${id} has a damaged record and is not in the registry.`,
    )
    await shop.deleteOption(recordOption(id))
    await shop.fix()
  })

  it('a record whose markup has an unknown key', async () => {
    await shop.publish('unknown', 'x')
    const id = await shop.idOf('unknown')
    const text = encodePhp({ slug: 'unknown', source: '<p>the only copy</p>', note: '' })
    await shop.setOption(recordOption(id), text)
    await expectUnfixed(
      `error record_unreadable: The record of the frame "unknown" (${id}) is damaged or contains no markup.`,
    )
    expect(await textOf(recordOption(id))).toBe(text)
    await editRegistry(id, undefined)
    await shop.deleteOption(recordOption(id))
    await shop.fix()
  })

  it('frames that embed a missing frame or each other', async () => {
    const insert = (...names: string[]) =>
      names.map((name) => `<!-- svc/frame {"name":"${name}"} /-->`).join('')
    await shop.publish('ring-a', insert('ring-b', 'nowhere', 'nothing-else', 'card'))
    await shop.publish('ring-b', insert('ring-c'))
    await shop.publish('ring-c', insert('ring-a'))
    await shop.publish('ring-self', insert('ring-self'))
    await shop.publish('above', insert('ring-a', 'ring-self'))
    expect(await found('reference_missing', 'frame_cycle', 'copy_stale')).toEqual([
      'warning reference_missing: The frame "ring-a" embeds "nowhere", "nothing-else", which does not exist.',
      'warning frame_cycle: The frames ring-a, ring-b, ring-c embed each other in a cycle.',
      'warning frame_cycle: The frame "ring-self" embeds itself.',
    ])
  })

  it('unused frames', async () => {
    expect(await found('frame_unused')).toEqual(
      ['above', 'fifth'].map(
        (slug) =>
          `info frame_unused: The frame "${slug}" is not assigned to a page and not embedded in another frame.`,
      ),
    )
  })

  it('pages that are assigned to missing frames', async () => {
    const { postmeta, posts } = shop.site.tables
    const row = shop.network.db.sql(postmeta).where({ post_id: 10, meta_key: '_svc_frame' })
    await row.clone().update({ meta_value: LOST })
    await expectUnfixed(
      `error page_frame_missing: Page 10 (publish) is assigned to the frame "${LOST}", which does not exist.`,
    )
    await shop.network.db.sql(posts).where({ ID: 10 }).update({ post_status: 'draft' })
    expect(await found('page_frame_missing')).toEqual([expect.stringMatching(/^warning/)])
  })
})
