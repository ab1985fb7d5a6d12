import { beforeEach, expect, it } from 'vitest'
import { listCopyRecords } from '../../../src/build/publishing/copies-table.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { useFront } from '../../support/front.ts'
import { forgetWork, pendingWork, putWork } from '../../support/work-rows.ts'

/** Team and Services, in English. */
const [TEAM, SERVICES] = [10, 16]

const front = await useFront()
const site = await front.network.site(2)
await front.frame(2, 'page', '<b data-op-bind="settings.blogname"></b>')
await front.assign(2, 'page', [TEAM, SERVICES])
beforeEach(() => forgetWork(front.network))

const versions = async () =>
  new Map(
    (await listCopyRecords(front.network.db, site)).map(({ page, version }) => [page, version]),
  )

/** The settings were edited, and show the same. */
async function touchSettings(): Promise<number> {
  const change = { bake: true, work: workOn('outdated', ['settings']) }
  const recorded = await front.network.db.write({ site }, (tx) => recordChange(tx, site, change))
  await front.executor.apply(site, recorded)
  return recorded.version
}

it('the executor leaves pages alone whose copies show the present output of their frame', async () => {
  const before = await versions()
  const version = await touchSettings()
  expect([...before.values()].every((one) => one < version)).toBe(true)
  expect(await versions()).toEqual(before)
})

it('the executor builds a page again that waits for its next try, because its copy may be of an older state', async () => {
  const before = await versions()
  await putWork(front.network, 2, [{ name: String(TEAM), tries: 1, error: 'The disk was full.' }])
  const version = await touchSettings()
  expect(await versions()).toEqual(new Map(before).set(TEAM, version))
  expect(await pendingWork(front.network, 2)).toEqual([])
})
