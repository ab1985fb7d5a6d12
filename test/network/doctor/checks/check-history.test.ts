import { beforeAll, expect, it } from 'vitest'
import { historyTable } from '../../../../src/record/history/history-row.ts'
import { useDoctorFixture } from '../doctor-fixture.ts'

const doctor = await useDoctorFixture()
beforeAll(async () => {
  await doctor.publish('page', '<p>one</p>')
  await doctor.publish('page', '<p>two</p>')
})

const find = () => doctor.examine('history_content_missing')
const history = () => doctor.network.db.sql(historyTable(doctor.network.globals))

it('the doctor finds nothing in a history that only the service has written', async () => {
  expect(await find()).toEqual([])
})

it('the doctor finds entries whose contents another program damaged or removed', async () => {
  const [damaged, removed] = await history().where({ kind: 'frame' }).whereNotNull('content')
  const content = ({ content: hash }: { content: Buffer }) => history().where({ hash })
  await content(damaged).update({ data: Buffer.from('damaged') })
  await content(removed).delete()
  const [finding, ...more] = await find()
  expect(more).toEqual([])
  expect(finding?.message).toContain(`${damaged.id}, ${removed.id}`)
})
