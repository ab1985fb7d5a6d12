import { beforeAll, expect, it } from 'vitest'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { lockFrames } from '../../../src/content/frames/lock-frames.ts'
import { examineSite, runChecks } from '../../../src/network/doctor/examine.ts'
import type { Finding, Problem } from '../../../src/network/doctor/finding.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { statementsOf } from '../../support/statements.ts'
import { useDoctorFixture } from './doctor-fixture.ts'

const shop = await useDoctorFixture()
beforeAll(async () => {
  await shop.publish('page', '<h1 data-op-bind="page.title">x</h1>', [10])
})

/** Creates frames without the executor, so that they have no baked copies. */
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

it('the doctor runs about the same number of statements for any number of frames, and writes nothing', async () => {
  const { db } = shop.network
  const statements = await statementsOf(db, shop.examineOnPool)
  const before = await shop.network.db.sql(shop.site.tables.options).orderBy('option_id')
  await makeFrames(100)
  const made = await shop.network.db.sql(shop.site.tables.options).orderBy('option_id')
  const more = await statementsOf(db, async () => {
    const found = await shop.examineOnPool()
    expect(found.filter(({ check }) => check === 'copy_missing')).toHaveLength(100)
  })
  // What is pending is read if a copy is missing, and which reads share a statement depends on their timing.
  expect(more.length - statements.length).toBeLessThan(10)
  expect(statements.length).toBeGreaterThan(10)
  expect(await shop.network.db.sql(shop.site.tables.options).orderBy('option_id')).toEqual(made)
  expect(made.length).toBe(before.length + 200)
})

it('the doctor bakes all frames without a copy with one shared fix', async () => {
  const findings = await shop.examine('copy_missing')
  expect(new Set(findings.map(({ fix: remedy }) => remedy)).size).toBe(1)
  await shop.fix()
  expect(await shop.codes()).toEqual(['frame_unused'])
})

it('the doctor reports no problems of frames that are written concurrently', async () => {
  let isWriting = true
  const writing = (async () => {
    for (let index = 0; isWriting; index += 1)
      await shop.publish(`during-${index}`, `${index}`, [11])
  })()
  const codes = new Set<string>()
  for (let round = 0; round < 10; round += 1) {
    for (const finding of await examineSite(shop.services, shop.site)) codes.add(finding.check)
  }
  isWriting = false
  await writing
  // Copies are baked after the commit, so their findings are expected.
  const derived = /^(copy|static)_|^(frame_unused|charset_narrow)$/
  expect([...codes].filter((code) => !derived.test(code))).toEqual([])
})

it('the doctor examines a site on one connection, also concurrently', async () => {
  const db = openTestDatabase({ url: shop.network.url })
  const examine = () => examineSite({ ...shop.services, db }, shop.site)
  const examined = await Promise.all([examine(), examine(), examine()])
  await db.close()
  const messagesOf = (findings: readonly Finding[]) => findings.map(({ message }) => message)
  const expected = messagesOf(await examineSite(shop.services, shop.site))
  expect(examined.map(messagesOf)).toEqual([expected, expected, expected])
})

it('the doctor reports more findings than a call takes arguments', async () => {
  const problem: Problem = {
    check: 'frame_unused',
    severity: 'info',
    title: 'X',
    fixedBy: 'editor',
    message: 'x',
    impact: 'x',
    fixHint: 'x',
  }
  const many = async () => Array.from({ length: 200_000 }, () => problem)
  expect(await runChecks(shop.services, shop.site, [many])).toHaveLength(200_000)
})
