import { beforeEach, expect, it } from 'vitest'
import type { Tx } from '../../src/db/transaction.ts'
import { newClaim } from '../../src/work/claims.ts'
import { noteLateness } from '../../src/work/complete-work.ts'
import { recordChange } from '../../src/work/record-work.ts'
import { workOn } from '../../src/work/work.ts'
import { workTable } from '../../src/work/work-tables.ts'
import { eventually } from '../support/eventually.ts'
import { startFront } from '../support/front.ts'
import { use } from '../support/use.ts'

/** Team and Services, in English. */
const [TEAM, SERVICES] = [10, 16]
const OTHER = 'f'.repeat(16)

const front = await use(startFront())
await front.frame(2, 'page', '<b data-op-bind="settings.blogname"></b>')
await front.assign(2, 'page', [TEAM, SERVICES])

const work = () => front.network.db.sql(workTable(front.network.globals)).where({ blog_id: 2 })
const versions = async () =>
  new Map<number, number>(
    (
      await front.network.db
        .sql(`${front.network.globals.basePrefix}svc_copies`)
        .where({ blog_id: 2 })
    ).map(({ page_id, version }) => [page_id, version]),
  )
/** Another process claims a row of the site. */
const claimElsewhere = (kind: string, name: string) =>
  work().insert({
    blog_id: 2,
    kind,
    name,
    version: 1,
    since: '2026-01-01',
    owner: OTHER,
    due_at: front.network.db.sql.raw('NOW(6) + INTERVAL 60 SECOND'),
  })
const touchSettings = async (): Promise<number> => {
  const site = await front.network.site(2)
  const change = { bake: true, work: workOn('outdated', ['settings']) }
  const { version } = await front.network.db.write({ site }, (tx) => recordChange(tx, site, change))
  front.executor.wake(2)
  await eventually(async () => expect(await work().where({ kind: 'outdated' })).toEqual([]))
  return version
}
beforeEach(async () => void (await work().delete()))

it('the executor leaves pages alone whose copies show the present output of their frame', async () => {
  const before = await versions()
  await touchSettings()
  expect(await versions()).toEqual(before)
})

it('the executor builds a page again that another claim publishes at present, because that may read an older state', async () => {
  await claimElsewhere('page', String(TEAM))
  const version = await touchSettings()
  expect(await work()).toMatchObject([{ kind: 'page', name: String(TEAM), owner: OTHER, version }])
})

it('the executor knows when the site was written after a version, and keeps others from recording work meanwhile', async () => {
  const { db, globals } = front.network
  const claim = newClaim({ blogId: 2, globals })
  const version = await touchSettings()
  const isLate = async (tx: Tx): Promise<number> => {
    noteLateness(tx, claim, version)
    const [[row]] = await tx.sql.raw('SELECT @is_late AS late')
    return Number(row.late)
  }
  let isRecorded = false
  let recording: Promise<unknown> | undefined
  await db.write({ isWork: true }, async (tx) => {
    expect(await isLate(tx)).toBe(0)
    recording = touchSettings().then(() => {
      isRecorded = true
    })
    await eventually(async () => {
      const [waiting] = await db.sql.raw(
        "SELECT INFO FROM information_schema.PROCESSLIST WHERE INFO LIKE 'INSERT INTO%svc_sites%'",
      )
      expect(waiting).toHaveLength(1)
    })
    expect(isRecorded).toBe(false)
  })
  await recording
  await db.write({ isWork: true }, async (tx) => {
    expect(await isLate(tx)).toBe(1)
  })
})
