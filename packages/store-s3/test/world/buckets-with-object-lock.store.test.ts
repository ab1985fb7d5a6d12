import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { shown } from '../../../../test/build/publishing/publishing-fixture.ts'
import { FAST } from '../../../../test/support/timings.ts'
import { StoreClient } from '../../src/store-client.ts'
import { StoreCredentials } from '../../src/store-credentials.ts'
import { assertUsable, useStore } from '../store-fixture.ts'
import { STORE_CREDENTIALS } from '../store-keys.ts'

/**
 * Buckets that keep every version of an object for a time (S3 Object Lock).
 * Right: S3 user guide, "Object Lock": `PutObject` into a bucket with a retention demands `Content-MD5` or a checksum; a `DELETE` without a
 * version leaves the versions, so pages that were withdrawn could be read for as long.
 */
describe('buckets with Object Lock', async () => {
  const { server, relay, open, doctorProblem, publish } = await useStore()
  afterEach(() => {
    relay.interfere = () => undefined
  })

  async function createLocked(bucket: string, mode?: string): Promise<void> {
    const credentials = new StoreCredentials(STORE_CREDENTIALS, FAST.store)
    const client = new StoreClient(server.address(bucket), credentials, FAST.store)
    const headers = { 'x-amz-bucket-object-lock-enabled': 'true' }
    await client.send(0, { method: 'PUT', key: '', headers })
    const retention = `<Rule><DefaultRetention><Mode>${mode}</Mode><Days>30</Days></DefaultRetention></Rule>`
    const body = Buffer.from(
      `<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled>${mode ? retention : ''}</ObjectLockConfiguration>`,
    )
    await client.send(0, { method: 'PUT', key: '', query: { 'object-lock': '' }, body })
    client.close()
  }

  it.each(['COMPLIANCE', 'GOVERNANCE'])('a default retention (%s) is refused', async (mode) => {
    const bucket = `locked-${mode.toLowerCase()}`
    await createLocked(bucket, mode)
    relay.requests.length = 0
    const copies = open(`s3://${bucket}/live`)
    const sentence = `the bucket "${bucket}" keeps every version of each object for a time (Object Lock, a default retention of the mode ${mode})`
    await expect(assertUsable(copies)).rejects.toThrow(sentence)
    expect(await doctorProblem(copies)).toContain(sentence)
    expect(relay.requests.filter((one) => one.startsWith('PUT'))).toEqual([])
    await copies.close()
  })

  it('a lock without a default retention is used', async () => {
    await createLocked('lockable')
    const copies = open('s3://lockable/live')
    await assertUsable(copies)
    await publish(copies, [shown(7, 'about-us/', '<p>one</p>')])
    await copies.close()
  })

  it.each([400, 403, 404, 405, 501])(
    'a store that answers %s to the question is used',
    async (status) => {
      relay.interfere = ({ url }) =>
        url?.includes('object-lock') ? { status, code: 'NotImplemented' } : undefined
      const copies = open(`s3://copies/answers-${status}`)
      await assertUsable(copies)
      await copies.close()
    },
  )

  it('every PUT has a checksum', async () => {
    const puts: IncomingMessage[] = []
    relay.interfere = (request) => {
      if (request.method === 'PUT') puts.push(request)
      return undefined
    }
    const copies = open('s3://copies/sums')
    await assertUsable(copies)
    await publish(copies, [shown(7, 'about-us/', '<p>one</p>')])
    await copies.close()
    expect(puts.length).toBeGreaterThan(4)
    for (const { headers } of puts) expect(headers['content-md5']).toMatch(/^[\w+/]{22}==$/)
  })
})
