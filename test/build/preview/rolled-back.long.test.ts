import { describe, expect, it } from 'vitest'
import { previewPage } from '../../../src/build/preview/preview-page.ts'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { peekCachedGraph } from '../../../src/content/frames/graph-cache.ts'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import { writeDataset } from '../../../src/content/frames/write-dataset.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { createLog } from '../../../src/host/log.ts'
import { startApi } from '../../support/api.ts'
import { useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { FAST, timed } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const PAGE = 7

const network = await useNetwork({
  timings: { db: { previewLockWaitSeconds: 1, previewStatementSeconds: 2 } },
})
const api = await use(startApi(network))
const { executor } = api
const shop = createSiteFixture(network.db, await network.site(2), { executor })
await shop.frame('part', '<p>stored</p>')
await shop.frame(
  'page',
  '<!-- svc/frame {"name":"part"} /--><!-- svc/data {"source":"dataset.a.b"} /-->',
)
await shop.assign('page', [PAGE])
const [tables] = await network.db.sql.raw('SHOW TABLES')
const names = tables.flatMap((row: object) => Object.values(row)).join(', ')
const checksum = async () => (await network.db.sql.raw(`CHECKSUM TABLE ${names}`))[0]

const services = (previewMs = FAST.api.previewMs) => ({
  db: timed(network.db, { api: { previewMs } }),
  bakery: executor.bakery,
  log: createLog('silent'),
})
const write = { userId: 1, now: '2026-01-01 00:00:00', bake: true }

const NOTHING = { result: undefined, changes: [] }

/** Replaces a frame, adds one and writes a data set, as a preview does. */
async function writeThings(tx: Tx) {
  const { site } = shop
  const html = '<p>unsaved</p><!-- svc/frame {"name":"added"} /-->'
  const { change } = await replaceFrame(tx, site, 'part', { ...write, html })
  await recordChange(tx, site, change)
  const added = await createFrame(tx, site, { ...write, slug: 'added', html: 'added' })
  await recordChange(tx, site, added.change)
  await writeDataset(tx, site, 'a', '{"b":"data"}')
  return NOTHING
}

const replacePart = (html: string) => async (tx: Tx) => {
  await replaceFrame(tx, shop.site, 'part', { ...write, html })
  return NOTHING
}

describe('a writer of the site', () => {
  it('does not wait for a preview, which begins again and shows what was written', async () => {
    const { db } = network
    let attempts = 0
    let hasLocked = (): void => {}
    const locked = new Promise<void>((resolve) => {
      hasLocked = resolve
    })
    const preview = previewPage(services(), shop.site, {
      page: PAGE,
      write: async (tx) => {
        attempts += 1
        await createFrame(tx, shop.site, { ...write, slug: 'holding', html: 'x' })
        hasLocked()
        // The locks of the frames stay until the writer comes.
        if (attempts === 1) await new Promise(() => {})
        return NOTHING
      },
    })
    await locked
    await db.write({ site: shop.site }, (tx) =>
      replaceFrame(tx, shop.site, 'part', { ...write, html: '<p>written meanwhile</p>' }),
    )
    expect((await preview).html).toContain('<p>written meanwhile</p>')
    expect(attempts).toBe(2)
    await shop.frame('part', '<p>stored</p>')
  })
})

/** What readers see: the page, the graph, lists and frames of the API. */
async function seen(): Promise<object> {
  const alice = await api.as('alice')
  const get = async (path: string) => (await alice.get(`/site/2${path}`)).body
  const { registry } = await readSiteGraph(network.db, shop.site)
  return {
    page: await executor.renderById(shop.site, PAGE),
    registry: registry.all(),
    frames: await get('/frames?include_html=1'),
    frame: await get('/frames/part'),
    added: await get('/frames/added'),
    data: await get('/data/dataset.a'),
    history: await get('/history'),
    work: await get('/work'),
  }
}

describe('a preview', () => {
  it('is not seen by others while it runs and after it, and leaves nothing in tables and caches', async () => {
    // Caches are filled, and reads are kept.
    const before = [await seen(), await seen()][1]
    const stored = await checksum()
    const graph = peekCachedGraph(network.db, shop.site)
    let during: object | undefined
    const { html } = await previewPage(services(), shop.site, {
      page: PAGE,
      write: async (tx) => {
        const written = await writeThings(tx)
        during = await seen()
        return written
      },
    })
    expect(html).toBe('<p>unsaved</p>addeddata')
    expect(during).toEqual(before)
    expect(await seen()).toEqual(before)
    expect(await checksum()).toEqual(stored)
    expect(peekCachedGraph(network.db, shop.site)).toBe(graph)
  })

  it('is given up after its time limit, and what it still does then has no effect', async () => {
    const before = await seen()
    const stored = await checksum()
    let giveUp = () => {}
    const givenUp = new Promise<void>((resolve) => {
      giveUp = resolve
    })
    let lateWrite: Promise<unknown> = Promise.resolve()
    const preview = previewPage(services(1000), shop.site, {
      page: PAGE,
      write: async (tx) => {
        lateWrite = givenUp.then(() => writeDataset(tx, shop.site, 'late', '1'))
        lateWrite.catch(() => {})
        await writeThings(tx)
        await lateWrite
        return NOTHING
      },
    })
    await expect(preview).rejects.toMatchObject({ code: 'preview_too_slow' })
    // The next writer of the site need not wait for the rest of the preview.
    await network.db.write({ site: shop.site, dryRun: true }, writeThings)
    giveUp()
    await expect(lateWrite).rejects.toThrow('the transaction has ended')
    expect(await checksum()).toEqual(stored)
    expect(await seen()).toEqual(before)
  })

  it('ends soon after its time limit, also while it waits for a locked row', async () => {
    const { site } = shop
    const { db } = network
    const locked = { option_name: 'svc_frames' }
    await db.sql.transaction(async (trx) => {
      await trx(site.tables.options).where(locked).forUpdate()
      const startedAt = performance.now()
      const preview = previewPage(services(500), site, {
        page: PAGE,
        write: writeThings,
      })
      preview.catch(() => {})
      // A write of the same site that needs another row does not wait for the preview.
      const other = db.write({ site, dryRun: true }, (tx) => writeDataset(tx, site, 'b', '1'))
      await Promise.race([other, preview])
      await expect(preview).rejects.toMatchObject({ code: 'preview_too_slow' })
      expect(performance.now() - startedAt).toBeLessThan(8000)
    })
  })

  it('is given up if it waits for a locked row for long', async () => {
    const { site } = shop
    await network.db.sql.transaction(async (trx) => {
      await trx(site.tables.options).where({ option_name: 'svc_frames' }).forUpdate()
      const preview = previewPage(services(60_000), site, {
        page: PAGE,
        write: writeThings,
      })
      await expect(preview).rejects.toMatchObject({ code: 'preview_too_slow' })
    })
  })

  it('can be given up at any moment of its build', async () => {
    const html = `<p>${'<!-- svc/menu {"location":"header"} /-->'.repeat(200)}</p>`
    const stored = await checksum()
    const ended: string[] = []
    for (const maxMs of [0, 4, 8, 16, 32, 64, 128, 60_000]) {
      const preview = previewPage(services(maxMs), shop.site, {
        page: PAGE,
        write: replacePart(html),
      })
      ended.push(
        await preview.then(
          () => 'shown',
          ({ code }) => code,
        ),
      )
    }
    expect([ended[0], ended.at(-1)], ended.join()).toEqual(['preview_too_slow', 'shown'])
    expect(await checksum()).toEqual(stored)
  })

  it('shows the same page when it runs concurrently with previews of other content', async () => {
    const pages = Array.from({ length: 6 }, async (_, index) => {
      const html = `<p>${index}</p>`
      const { html: page } = await previewPage(services(), shop.site, {
        page: PAGE,
        write: replacePart(html),
      })
      return page
    })
    expect(await Promise.all(pages)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `<p>${n}</p>`))
  })
})
