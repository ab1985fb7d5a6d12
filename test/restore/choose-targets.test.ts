import { describe, expect, it } from 'vitest'
import { historyTable } from '../../src/history/history-row.ts'
import { chooseTargets, type RestoreScope } from '../../src/restore/choose-targets.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'
import { createRestoredSite } from './restored-site.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
const site = await network.site(2)
const { write, newest } = createRestoredSite(network, site)

/** The slugs of the wanted states, null for things that must not exist, and how many states are unknown. */
async function chosen(scope: RestoreScope) {
  const { targets, unknown } = await chooseTargets(db, site, scope)
  const states = targets.map(({ wanted }) => wanted && (wanted.state === null ? null : wanted.name))
  return { states, unknown: unknown.length }
}

describe('the things that a restore concerns', () => {
  it('are the thing of an entry, with its state', async () => {
    await write((shop) => shop.frame('entry', '1'))
    const { id, ref } = await newest()
    await write((shop) => shop.frame('entry', '2'))
    const { targets } = await chooseTargets(db, site, { entry: id })
    expect(targets).toMatchObject([{ thing: { kind: 'frame', ref }, wanted: { id } }])
  })

  it('do not exist for an entry of another site, or one that is no thing', async () => {
    await write((shop) => shop.frame('own', '1'))
    const { id } = await newest()
    const missing = { code: 'entry_not_found' }
    const other = await network.site(3)
    await expect(chooseTargets(db, other, { entry: id })).rejects.toMatchObject(missing)
    await db.sql(historyTable(globals)).where({ id }).update({ kind: 'pruning' })
    await expect(chooseTargets(db, site, { entry: id })).rejects.toMatchObject(missing)
    await db.sql(historyTable(globals)).where({ id }).update({ kind: 'frame' })
    const moment = { moment: { entry: id } }
    await expect(chooseTargets(db, other, moment)).rejects.toMatchObject(missing)
  })

  it('are all that a request has written, as they were before its first write', async () => {
    await write((shop) => shop.frame('before', '1'))
    const requestId = await write(async (shop) => {
      await shop.frame('before', '2')
      await shop.frame('new', '1')
      await shop.frame('before', '3')
      await shop.setOption('blogname', 'not recorded')
    })
    expect(await chosen({ requestId })).toEqual({ states: ['before', null], unknown: 0 })
    const { targets } = await chooseTargets(db, site, { requestId })
    const first = await newest({ ref: 'before', order: 'oldest' })
    expect(targets[0]?.wanted?.id).toBe(first.id)
    expect(await chosen({ requestId: 'none' })).toEqual({ states: [], unknown: 0 })
  })

  it('are those of a moment that were written since', async () => {
    await write((shop) => shop.frame('still', '1'))
    await write((shop) => shop.frame('changing', '1'))
    const { id } = await newest()
    await write(async (shop) => {
      await shop.frame('changing', '2')
      await shop.frame('later', '1')
    })
    const entry = { moment: { entry: id } }
    expect(await chosen(entry)).toEqual({ states: ['changing', null], unknown: 0 })
    expect(await chosen({ moment: { time: '2100-01-01' } })).toEqual({ states: [], unknown: 0 })
  })

  it('are unknown if the entry with their state was pruned', async () => {
    await write((shop) => shop.frame('pruned', '1'))
    const { id } = await newest()
    const requestId = await write((shop) => shop.frame('pruned', '2'))
    await db.sql(historyTable(globals)).where({ id }).delete()
    expect(await chosen({ requestId })).toEqual({ states: [], unknown: 1 })
  })
})
