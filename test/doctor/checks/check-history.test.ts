import { afterAll, beforeAll, expect, it } from 'vitest'
import { historyTable } from '../../../src/history/history-row.ts'
import { createDoctorFixture, type DoctorFixture } from '../doctor-fixture.ts'

let doctor: DoctorFixture
beforeAll(async () => {
  doctor = await createDoctorFixture()
  await doctor.publish('page', '<p>one</p>')
  await doctor.publish('page', '<p>two</p>')
})
afterAll(() => doctor.stop())

const find = () => doctor.examine('history_changed', 'history_gap', 'history_content_missing')

it('finds nothing in a history that only the service has written', async () => {
  expect(await find()).toEqual([])
})

it('finds entries that another program changed, and contents that it removed', async () => {
  const { db, globals } = doctor.network
  await db
    .sql(historyTable(globals))
    .where({ kind: 'frame', action: 'created' })
    .update({ label: 'forged' })
  await db.sql(historyTable(globals)).where({ kind: 'content' }).delete()
  expect((await find()).map(({ check }) => check)).toEqual([
    'history_changed',
    'history_content_missing',
  ])
})

it('finds removed entries', async () => {
  const { db, globals } = doctor.network
  await db.sql(historyTable(globals)).where({ kind: 'frame', action: 'created' }).delete()
  expect((await find()).map(({ check }) => check)).toContain('history_gap')
})

it('checks the history of tokens too', async () => {
  const { db, globals } = doctor.network
  const at = '2026-01-01 00:00:00.000'
  await db.sql(historyTable(globals)).insert({
    blog_id: 0,
    hash: Buffer.alloc(32),
    kind: 'token',
    ref: '1',
    action: 'issued',
    created_at: at,
    state: '{}',
    version: Buffer.alloc(32),
  })
  const findings = await doctor.examineNetwork()
  expect(
    findings.filter(({ site, check }) => site === null && check === 'history_changed'),
  ).toHaveLength(1)
})
