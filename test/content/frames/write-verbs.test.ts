import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { MAX_MARKUP_BYTES } from '../../../src/content/frames/frame-markup.ts'
import { bindPage } from '../../../src/content/frames/frame-pages.ts'
import { bakedOption, metaOption, recordOption } from '../../../src/content/frames/option-names.ts'
import { getFrame } from '../../../src/content/frames/read-frame.ts'
import { renameFrame } from '../../../src/content/frames/rename-frame.ts'
import { deleteOrphanedOptions, restoreFrames } from '../../../src/content/frames/repair-frames.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import { workOn, workOnEmbedders, workOnPage } from '../../../src/content/work/work.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { useNetwork } from '../../support/network.ts'

const CREATED = '2026-01-02 03:04:05'
const LATER = '2026-02-03 04:05:06'
const BY_ALICE = { userId: 2, now: CREATED, bake: true }
const BY_BOB = { userId: 3, now: LATER, bake: false }

const network = await useNetwork()
const site = await network.site(2)

const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => network.db.write({}, work)
const create = (slug: string, html: string) =>
  inTransaction((tx) => createFrame(tx, site, { ...BY_ALICE, slug, html }))
const rename = (ref: string, slug: string, bake = false) =>
  inTransaction((tx) => renameFrame(tx, site, ref, { ...BY_BOB, slug, bake }))
const replace = (ref: string, write: { html: string; slug?: string; bake?: boolean }) =>
  inTransaction((tx) => replaceFrame(tx, site, ref, { ...BY_BOB, ...write }))
const bind = (ref: string, pageId: number, clear = false) =>
  inTransaction((tx) => bindPage(tx, site, { ref, pageId, clear, bake: false }))
const recordOf = async (ref: string) => (await getFrame(network.db, site, ref)).record
const embed = (params: object): string => `<!-- svc/frame ${JSON.stringify(params)} /-->`
const option = (name: string) => network.db.sql(site.tables.options).where({ option_name: name })

describe('the change of a write', () => {
  it('has the frame with its markup, and no work if nothing uses the frame or no build is wanted', async () => {
    const made = await create('named', 'one')
    const { id, meta } = made.frame
    const markup = { html: 'one', sha256: meta.sha256, isNew: true }
    expect(made.change).toEqual({ bake: true, work: [], frame: id, markup })
    const same = { ...markup, isNew: false }
    expect((await replace('named', { html: 'one' })).change.markup).toEqual(same)
    await create('naming', embed({ name: 'named' }))
    const { change } = await replace('named', { html: 'two' })
    expect(change).toMatchObject({ bake: false, work: [], frame: id })
  })

  it('has the work on a used frame, and on its embedders by its id and its old and new slugs', async () => {
    const { id } = (await create('used', 'one')).frame
    await create('using', embed({ name: 'used' }))
    const workWith = (...slugs: string[]) => [
      ...workOn('frame', [id]),
      ...workOnEmbedders(id, slugs),
    ]
    const renamed = await rename('used', 'renamed', true)
    expect(renamed.change.work).toEqual(workWith('used', 'renamed'))
    const replaced = await replace('renamed', { html: 'two', bake: true })
    expect(replaced.change.work).toEqual(workWith('renamed'))
    const both = await replace('renamed', { html: 'two', slug: 'again', bake: true })
    expect(both.change.work).toEqual(workWith('renamed', 'again'))
  })

  it('has only the page if a frame is assigned to a page', async () => {
    await create('bound', 'x')
    for (const clear of [false, true]) {
      const { change } = await bind('bound', 7, clear)
      expect(change).toEqual({ bake: false, work: [workOnPage(7, clear)] })
    }
  })
})

describe('a rename', () => {
  it('rewrites only the frames that reference the frame by its slug', async () => {
    const { id } = (await create('old', 'x')).frame
    const bySlug = (await create('by-slug', `${embed({ name: 'old' })}${embed({ name: 'old' })}`))
      .frame.id
    await create('by-id', embed({ name: id }))
    await create('by-none', 'old')
    const { renamed } = await rename('old', 'new')
    const details = [{ id: bySlug, slug: 'by-slug', replaced: 2 }]
    expect(renamed).toEqual({ from: 'old', to: 'new', details })
    expect(await recordOf('by-slug')).toMatchObject({
      html: expect.not.stringContaining('old'),
      created_at_gmt: CREATED,
      updated_at_gmt: LATER,
      updated_by: BY_BOB.userId,
    })
    for (const ref of ['by-id', 'by-none'])
      expect(await recordOf(ref)).toMatchObject({ updated_at_gmt: CREATED, updated_by: 2 })
  })

  it('does not rewrite a frame that embeds the other only according to its meta', async () => {
    await create('embedded', 'x')
    const { id } = (await create('stale-meta', 'nothing')).frame
    const meta = JSON.stringify({ references: ['embedded'], live_reasons: [] })
    await option(metaOption(id)).update({ option_value: meta })
    await option('svc_frames_version').update({ option_value: 'a nonce of another process' })
    expect((await rename('embedded', 'renamed-again')).renamed.details).toEqual([])
    expect((await recordOf('stale-meta')).updated_at_gmt).toBe(CREATED)
  })

  it('is rejected if an embedder would grow beyond the markup limit', async () => {
    await create('c', 'x')
    const insert = embed({ name: 'c' })
    const inserts = insert.repeat(10)
    const html = inserts + 'x'.repeat(MAX_MARKUP_BYTES - inserts.length)
    const { id } = (await create('full', html)).frame
    await expect(rename('c', 'longer')).rejects.toMatchObject({
      code: 'frame_too_large',
      message: expect.stringMatching(
        /^The frame "full" embeds the renamed frame .* a shorter slug/,
      ),
      fields: { max_bytes: MAX_MARKUP_BYTES, bytes: expect.any(Number), id },
    })
    await expect(replace('c', { html: 'y', slug: 'longer' })).rejects.toMatchObject({
      code: 'frame_too_large',
    })
    expect((await recordOf('c')).html).toBe('x')
    expect((await recordOf('full')).html).toBe(html)
    expect((await rename('c', 'd')).renamed.details).toMatchObject([{ slug: 'full' }])
  })

  it('to the same slug changes no other frame', async () => {
    await create('same', 'x')
    await create('embeds-same', embed({ name: 'same' }))
    expect((await rename('same', 'same')).renamed).toEqual({
      from: 'same',
      to: 'same',
      details: [],
    })
    expect((await recordOf('embeds-same')).updated_at_gmt).toBe(CREATED)
    expect((await recordOf('same')).updated_at_gmt).toBe(LATER)
  })
})

describe('a replacement', () => {
  it('keeps the creation time, or sets it if it is unknown', async () => {
    const { id } = (await create('dated', 'one')).frame
    await replace('dated', { html: 'two' })
    expect(await recordOf('dated')).toMatchObject({
      created_at_gmt: CREATED,
      updated_at_gmt: LATER,
    })
    await option(recordOption(id)).update({ option_value: 'bare' })
    await option(metaOption(id)).delete()
    await option('svc_frames_version').update({ option_value: 'written by the legacy endpoint' })
    expect((await recordOf('dated')).created_at_gmt).toBe('0000-00-00 00:00:00')
    await replace('dated', { html: 'three' })
    expect((await recordOf('dated')).created_at_gmt).toBe(LATER)
  })
})

describe('reading a frame', () => {
  it('returns its pages sorted by id, without duplicates', async () => {
    const { id } = (await create('paged', 'x')).frame
    const meta = [100, 9, 10, 9].map((post_id) => ({
      post_id,
      meta_key: '_svc_frame',
      meta_value: id,
    }))
    for (const row of meta) await network.db.sql(site.tables.postmeta).insert(row)
    expect((await getFrame(network.db, site, 'paged')).pages).toEqual([9, 10, 100])
    expect((await getFrame(network.db, site, id)).pages).toEqual([9, 10, 100])
  })

  it('returns the frame as written last by any process, whatever is cached', async () => {
    const { id } = (await create('fresh', 'one')).frame
    expect((await recordOf('fresh')).html).toBe('one')
    const record = `a:1:{s:4:"html";s:5:"older";}`
    await option(recordOption(id)).update({ option_value: record })
    await option('svc_frames_version').update({ option_value: 'another nonce' })
    expect((await recordOf('fresh')).html).toBe('older')
    await option(metaOption(id)).update({ option_value: 'no meta' })
    expect((await getFrame(network.db, site, 'fresh')).meta.references).toEqual([])
  })
})

describe('repairing frames', () => {
  const idOf = (end: string) => end.padStart(16, 'b')
  const put = async (name: string, value: string) =>
    void (await network.db
      .sql(site.tables.options)
      .insert({ option_name: name, option_value: value, autoload: 'off' }))
  const stored = async (name: string) => (await option(name).first('option_value'))?.option_value

  it('deletes orphaned options only of frames that are neither listed nor recorded', async () => {
    const { id } = (await create('listed', 'x')).frame
    await put(metaOption(idOf('1')), 'orphaned')
    await put(bakedOption(idOf('1')), 'orphaned')
    await put(recordOption(idOf('2')), 'x')
    await put(metaOption(idOf('2')), 'of a record')
    await option(recordOption(id)).delete()
    await inTransaction((tx) => deleteOrphanedOptions(tx, site, [id, idOf('1'), idOf('2')]))
    expect(await stored(metaOption(id))).toBeDefined()
    expect(await stored(metaOption(idOf('1')))).toBeUndefined()
    expect(await stored(bakedOption(idOf('1')))).toBeUndefined()
    expect(await stored(metaOption(idOf('2')))).toBe('of a record')
    expect((await stored('svc_frames')).includes('"listed"')).toBe(true)
  })

  it('restores frames from readable records, with slugs that are free', async () => {
    const { id } = (await create('kept', 'x')).frame
    await put(recordOption(idOf('3')), encodePhp({ slug: 'own', html: embed({ name: 'kept' }) }))
    await put(recordOption(idOf('4')), encodePhp({ slug: 'kept', html: 'z' }))
    await put(recordOption(idOf('5')), '<p>without a name</p>')
    await put(recordOption(idOf('6')), 'a:1:{s:4:"html";s:99:"damaged";}')
    // The slug of this frame is the id of another one, which is not listed.
    await put(recordOption(idOf('7')), encodePhp({ slug: idOf('5'), html: 'z' }))
    const ids = ['5', '3', '4', '6', '7', '8'].map(idOf)
    await inTransaction((tx) => restoreFrames(tx, site, [id, ...ids]))
    const { registry } = (await getFrame(network.db, site, 'kept')).graph
    expect(registry.get('kept').id).toBe(id)
    expect(ids.map((lost) => registry.find(lost)?.slug)).toEqual([
      idOf('5'),
      'own',
      idOf('4'),
      undefined,
      idOf('7'),
      undefined,
    ])
    expect((await getFrame(network.db, site, 'own')).meta.references).toEqual(['kept'])
    expect(await stored(recordOption(idOf('6')))).toBe('a:1:{s:4:"html";s:99:"damaged";}')
    expect(await stored(recordOption(idOf('8')))).toBeUndefined()
  })
})
