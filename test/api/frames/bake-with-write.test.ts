import { beforeAll, describe, expect, it } from 'vitest'
import { workOn } from '../../../src/content/work/work.ts'
import { startApi } from '../../support/api.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { useNetwork } from '../../support/network.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { startPacketRelay } from '../../support/packets.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

const network = await useNetwork()
const relay = await use(startPacketRelay(network.url))
const db = await use(openTestDatabase({ url: relay.url, poolSize: 4, isBatched: true }))
const executor = createTestExecutor({ db, globals: network.globals })
const api = await use(startApi(network, { db, executor }))
const alice = await api.as('alice')
const site = await network.site(2)
const shop = createSiteFixture(network.db, site)

/** The fields of a request. */
type Sent = { readonly slug: string; readonly html: string; readonly bake?: boolean }

/** Sends a write. */
async function write(send: () => Promise<{ body: Record<string, unknown>; status: number }>) {
  let answer: Awaited<ReturnType<typeof send>> | undefined
  const packets = await relay.packetsOf(async () => {
    answer = await send()
  })
  if (answer?.status !== 200 && answer?.status !== 201)
    throw new Error(JSON.stringify(answer?.body))
  const { frame, bake } = answer.body as {
    frame: { id: string }
    bake: { status: string; response: { baked: boolean; default_lang: string } }
  }
  const indexOf = (from: number, part: string): number =>
    packets.findIndex(
      ({ statements }, index) => index >= from && statements.some((text) => text.includes(part)),
    )
  const written = indexOf(0, `'svc_frame_${frame.id}',`)
  const stored = indexOf(written, `'svc_frame_${frame.id}_baked',`)
  const isStoredWithWrite = stored >= 0 && stored <= indexOf(written, 'COMMIT')
  return { id: frame.id, bake, isStoredWithWrite }
}

const create = (sent: Sent) => write(() => alice.post('/site/2/frames').send(sent))
const replace = ({ slug, ...sent }: Sent) =>
  write(() => alice.put(`/site/2/frames/${slug}`).send(sent))
const storedCopy = (id: string) => shop.option(`svc_frame_${id}_baked`)

const BAKED = { status: 'ok', response: { baked: true, default_lang: 'en' } }

describe('a write of plain markup that nothing uses', () => {
  it('stores the copy with the frame', async () => {
    const made = await create({ slug: 'plain', html: '<p>one</p>' })
    expect(made).toMatchObject({ isStoredWithWrite: true, bake: BAKED })
    expect(await storedCopy(made.id)).toContain('<p>one</p>')
    const replaced = await replace({ slug: 'plain', html: '<p>two</p>' })
    expect(replaced).toMatchObject({ isStoredWithWrite: true, bake: BAKED })
    expect(await storedCopy(made.id)).toContain('<p>two</p>')
  })

  it('stores the copy that a build after the commit would store', async () => {
    const { id } = await create({ slug: 'equal', html: '<p>a &amp; b</p>\n<!-- c --><i>ü</i>' })
    const stored = await storedCopy(id)
    await shop.deleteOption(`svc_frame_${id}_baked`)
    await executor.apply(site, { bake: true, work: workOn('frame', [id]) })
    // The write has recorded no work, so it has no version.
    const versions = /,"(?:baked|changed)":\d+/g
    expect((await storedCopy(id))?.replace(versions, '')).toBe(stored)
  })

  it('bakes nothing if the markup is the stored one, or the client wants no build', async () => {
    const { id } = await create({ slug: 'same', html: '<p>one</p>' })
    const same = await replace({ slug: 'same', html: '<p>one</p>' })
    expect(same.bake).toMatchObject({ status: 'ok', response: { baked: false } })
    const stored = await storedCopy(id)
    const skipped = await replace({ slug: 'same', html: '<p>two</p>', bake: false })
    expect(skipped.bake).toEqual({ status: 'skipped' })
    expect(await storedCopy(id)).toBe(stored)
  })
})

describe('a write whose copy needs more than the write', () => {
  it.each([
    ['an insert', '<!-- svc/menu {"location":"header"} /-->'],
    ['a bind', '<p data-op-bind="site.title">x</p>'],
    ['much markup', `<p>${'x'.repeat(70_000)}</p>`],
  ])('bakes %s after the commit', async (name, html) => {
    const slug = name.replaceAll(' ', '-')
    const made = await create({ slug, html })
    expect(made).toMatchObject({ isStoredWithWrite: false, bake: BAKED })
    expect(await storedCopy(made.id)).toBeDefined()
  })

  it('bakes a frame that another one embeds after the commit', async () => {
    await create({ slug: 'embedded', html: '<p>one</p>' })
    const outer = await create({ slug: 'outer', html: '<!-- svc/frame {"name":"embedded"} /-->' })
    const replaced = await replace({ slug: 'embedded', html: '<p>two</p>' })
    expect(replaced).toMatchObject({ isStoredWithWrite: false, bake: BAKED })
    expect(await storedCopy(outer.id)).toContain('<p>two</p>')
  })
})

describe('a write whose build fails within it', () => {
  beforeAll(async () => {
    await network.db.sql.schema.renameTable(site.tables.termTaxonomy, 'away')
    return () => network.db.sql.schema.renameTable('away', site.tables.termTaxonomy)
  })

  it('is stored, and reports the failed build', async () => {
    const made = await create({ slug: 'unread', html: '<p>one</p>' })
    expect(made.bake).toMatchObject({ status: 'failed' })
    expect(await shop.option(`svc_frame_${made.id}`)).toContain('<p>one</p>')
  })
})
