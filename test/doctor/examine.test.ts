import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { examineSite, runChecks } from '../../src/doctor/examine.ts'
import type { Finding, Problem } from '../../src/doctor/finding.ts'
import { analyzeMarkup } from '../../src/frames/frame-markup.ts'
import { lockFrames } from '../../src/frames/lock-frames.ts'
import { createLog } from '../../src/log.ts'
import { statementsOf } from '../support/statements.ts'
import { createDoctorFixture, type DoctorFixture } from './doctor-fixture.ts'

let shop: DoctorFixture
beforeAll(async () => {
  shop = await createDoctorFixture()
  await shop.put('page', '<h1 data-op-bind="page.title">x</h1>', [10])
})
afterAll(() => shop.stop())

/** Makes frames past the executor, so that none has a copy. */
async function makeFrames(count: number): Promise<void> {
  const now = '2026-01-02 03:04:05'
  await shop.network.db.write({}, async (tx) => {
    const frames = await lockFrames(tx, shop.site)
    for (let index = 0; index < count; index += 1) {
      const id = (0xb000000000000000n + BigInt(index)).toString(16)
      const html = `<b data-op-bind="site.title">${index}</b>`
      const dates = { created_at_gmt: now, updated_at_gmt: now, updated_by: 1 }
      frames.stage(id, { slug: `made-${index}`, html, ...dates }, analyzeMarkup(html))
    }
    await frames.flush()
  })
}

it('takes as many statements whatever a site has, and writes nothing', async () => {
  const statements = await statementsOf(shop.network.db, () => shop.examine())
  const before = await shop.network.db.sql(shop.site.tables.options).orderBy('option_id')
  await makeFrames(300)
  const made = await shop.network.db.sql(shop.site.tables.options).orderBy('option_id')
  const more = await statementsOf(shop.network.db, async () => {
    expect(await shop.examine('copy_missing')).toHaveLength(300)
  })
  expect(more.length).toBeLessThanOrEqual(statements.length)
  expect(await shop.network.db.sql(shop.site.tables.options).orderBy('option_id')).toEqual(made)
  expect(made.length).toBe(before.length + 600)
})

it('has the copies of all frames made, by remedies that are shared', async () => {
  const findings = await shop.examine('copy_missing')
  expect(new Set(findings.map(({ remedy }) => remedy)).size).toBe(1)
  await shop.fix()
  expect(await shop.codes()).toEqual(['frame_unused'])
})

it('finds nothing wrong with frames that are written meanwhile', async () => {
  let isWriting = true
  const writing = (async () => {
    for (let index = 0; isWriting; index += 1) await shop.put(`during-${index}`, `${index}`, [11])
  })()
  const codes = new Set<string>()
  for (let round = 0; round < 15; round += 1) {
    for (const finding of await examineSite(shop.services, shop.site)) codes.add(finding.check)
  }
  isWriting = false
  await writing
  // What shows a write is built when it is committed.
  const derived = /^(copy|static)_|^(frame_unused|charset_narrow)$/
  expect([...codes].filter((code) => !derived.test(code))).toEqual([])
})

it('examines a site on one connection, also several times at once', async () => {
  const db = openDatabase({ url: shop.network.url, poolSize: 1, log: createLog('silent') })
  const examine = () => examineSite({ ...shop.services, db }, shop.site)
  const examined = await Promise.all([examine(), examine(), examine()])
  await db.close()
  const whatOf = (findings: readonly Finding[]) => findings.map(({ what }) => what)
  const expected = whatOf(await examineSite(shop.services, shop.site))
  expect(examined.map(whatOf)).toEqual([expected, expected, expected])
})

it('reports more findings than a call takes arguments', async () => {
  const symptom: Problem = {
    ...{ check: 'frame_unused', severity: 'info', what: 'x', why: 'x', mend: 'x' },
  }
  const many = async () => Array.from({ length: 200_000 }, () => symptom)
  expect(await runChecks(shop.services, shop.site, [many])).toHaveLength(200_000)
})
