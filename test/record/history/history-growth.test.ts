import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import { createLog } from '../../../src/host/log.ts'
import { HistoryGrowth } from '../../../src/record/history/history-growth.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { pruneHistory } from '../../../src/record/history/prune-history.ts'
import { useNetwork } from '../../support/network.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { use } from '../../support/use.ts'

const LIMIT = 400_000
const log = createLog('silent')

const network = await useNetwork()
const onGrowth = (blogId: number, bytes: number) => growth.add(blogId, bytes)
const db = await use(openTestDatabase({ url: network.url, poolSize: 4, onGrowth }))
const retention = { days: undefined, bytesPerSite: LIMIT }
const prune = (blogId: number) =>
  pruneHistory(db, network.globals, retention, { now: new Date(), blogId })
const growth = new HistoryGrowth({ bytesPerSite: LIMIT, prune, log })
afterAll(() => growth.settled())

const bytesOf = async (blogId: number): Promise<number> => {
  const [row] = await db
    .sql(historyTable(network.globals))
    .where({ blog_id: blogId })
    .sum({ bytes: 'bytes' })
  return Number(row?.bytes)
}

it('the service keeps the history of a site near its limit while it is written, and leaves other sites alone', async () => {
  const [site, other] = [await network.site(2), await network.site(3)]
  const write = { userId: 2, now: '2026-01-01 00:00:00', bake: false }
  const markup = () => randomBytes(20_000).toString('hex')
  const slug = 'growing'
  for (const one of [site, other])
    await db.write({ site: one }, (tx) => createFrame(tx, one, { ...write, slug, html: 'x' }))
  const before = await bytesOf(3)
  let most = 0
  for (let at = 0; at < 60; at += 1) {
    await db.write({ site }, (tx) => replaceFrame(tx, site, slug, { ...write, html: markup() }))
    most = Math.max(most, await bytesOf(2))
  }
  expect(most).toBeGreaterThan(LIMIT * 0.7)
  expect(most).toBeLessThan(LIMIT * 1.5)
  expect(await bytesOf(3)).toBe(before)
})

it('the service counts nothing of a write that is rolled back', async () => {
  const site = await network.site(2)
  const counted: number[] = []
  const counting = openTestDatabase({
    url: network.url,
    poolSize: 2,
    log,
    onGrowth: (_blogId, bytes) => counted.push(bytes),
  })
  const write = (dryRun: boolean) =>
    counting.write({ site, dryRun }, (tx) =>
      createFrame(tx, site, {
        userId: 2,
        now: '2026-01-01 00:00:00',
        bake: false,
        slug: 'counted',
        html: 'x',
      }),
    )
  await write(true)
  expect(counted).toEqual([])
  await write(false)
  expect(counted).toHaveLength(1)
  await counting.close()
})
