import { beforeEach, expect, it } from 'vitest'
import { MAX_WAITING_WRITES } from '../../src/db/database.ts'
import {
  keepRenewing,
  type Lease,
  newOwner,
  releaseLease,
  renewLease,
  takeLease,
} from '../../src/db/lease.ts'
import { feedLease, feedTable } from '../../src/feed/feed-state.ts'
import { eventually } from '../support/eventually.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const network = await use(cloneNetwork())
beforeEach(async () => {
  await row().delete()
  await row().insert({ id: 1, due_at: '2000-01-01' })
})

const row = () => network.db.sql(feedTable(network.globals))
const now = (more: string) => network.db.sql.raw(`NOW(6) ${more}`)
const leaseOf = (more: Partial<Lease> = {}): Lease => ({
  ...feedLease(network, newOwner()),
  ...more,
})
const take = (lease: Lease, former?: string) => takeLease(network.db, lease, { former })
const renew = (lease: Lease) => renewLease(network.db, lease)
const release = (lease: Lease) => releaseLease(network.db, lease)

it('a lease is taken by one process, until it ends or is released', async () => {
  const [first, second] = [leaseOf(), leaseOf()]
  expect(await take(first)).toBe(true)
  expect([await take(second), await renew(second)]).toEqual([false, false])
  await release(second)
  expect(await renew(first)).toBe(true)
  await release(first)
  expect(await renew(first)).toBe(false)
  expect(await take(second)).toBe(true)
  await row().update({ due_at: now('') })
  expect(await take(first)).toBe(true)
  expect(await renew(second)).toBe(false)
})

it('a lease is renewed after its end, unless another process has taken the row', async () => {
  const lease = leaseOf()
  await take(lease)
  await row().update({ due_at: now('- INTERVAL 1 HOUR') })
  expect(await renew(lease)).toBe(true)
  expect(await take(leaseOf())).toBe(false)
})

it('a lease has ended if the clock of the database was set back', async () => {
  await take(leaseOf())
  await row().update({ due_at: now('+ INTERVAL 1 HOUR') })
  expect(await take(leaseOf())).toBe(true)
})

it('a lease is taken again before its end by the process that could not release it', async () => {
  const [first, second] = [leaseOf(), leaseOf()]
  await take(first)
  expect(await take(second, newOwner())).toBe(false)
  expect(await take(second, first.owner)).toBe(true)
  expect(await renew(first)).toBe(false)
})

it('a lease is lost when another column that identifies the row changes', async () => {
  const lease = leaseOf({ row: { id: 1, beat: 0 } })
  await take(lease)
  await row().update({ beat: 1 })
  expect(await renew(lease)).toBe(false)
})

it('a lease is renewed in the background, also after failures, until it is lost', async () => {
  const lease = leaseOf({ lengthMs: 300 })
  await take(lease)
  let renewals = 0
  const renewal = keepRenewing(lease.lengthMs, async () => {
    renewals += 1
    if (renewals === 2) throw new Error('the database is away')
    return renew(lease)
  })
  await eventually(() => expect(renewals).toBeGreaterThan(4))
  expect(renewal.lost.aborted).toBe(false)
  await row().update({ owner: newOwner(), due_at: now('+ INTERVAL 10 SECOND') })
  await eventually(() => expect(renewal.lost.aborted).toBe(true))
  await renewal.stop()
})

it('a lease waits for no other work of the network', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const work = Array.from({ length: MAX_WAITING_WRITES + 1 }, () =>
    network.db.write({ isWork: true }, () => released),
  )
  const lease = leaseOf()
  const taken = await take(lease).catch(() => 'refused')
  release()
  await Promise.all(work)
  expect(taken).toBe(true)
})
