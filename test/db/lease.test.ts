import { expect, it } from 'vitest'
import { keepRenewing } from '../../src/db/lease.ts'
import { eventually } from '../support/eventually.ts'

it('a lease is renewed in the background, also after failures, until it is lost', async () => {
  let renewals = 0
  const renewal = keepRenewing(15, async () => {
    renewals += 1
    if (renewals === 2) throw new Error('the database is away')
    return renewals < 5
  })
  await eventually(() => expect(renewal.lost.aborted).toBe(true))
  await renewal.stop()
  expect(renewals).toBe(5)
})
