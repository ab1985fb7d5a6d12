import { describe, expect, it } from 'vitest'
import { UnusableTargetError } from '../../../src/build/publishing/copy-store.ts'
import { checkStaticFolder } from '../../../src/network/doctor/checks/check-static-folder.ts'
import { checkNetwork, examineSite } from '../../../src/network/doctor/examine.ts'
import type { DoctorServices } from '../../../src/network/doctor/finding.ts'
import { useDoctorFixture } from '../../../test/network/doctor/doctor-fixture.ts'
import { assertUsable, useStore } from './store-fixture.ts'

const { relay, network, open, doctorProblem, keys } = await useStore()
const shop = await useDoctorFixture()

/** Why a target cannot be used, as `serve` says it at the start, and as the doctor does. */
async function problemsOf(setting?: string, endpoint?: string): Promise<[string, string]> {
  const copies = open(setting, endpoint)
  const error = await assertUsable(copies).then(
    () => new Error('no problem'),
    (reason: Error) => reason,
  )
  const ofDoctor = (await doctorProblem(copies)) ?? 'no problem'
  return [`${error.constructor.name}: ${error.message}`, ofDoctor]
}

describe('a store that cannot be used is named with what to do', () => {
  it('a missing bucket', async () => {
    const [atStart, ofDoctor] = await problemsOf('s3://missing-bucket')
    const sentence = `the bucket "missing-bucket" does not exist at ${relay.endpoint}. Create it, or correct STATIC_TARGET`
    expect(atStart).toBe(`UnusableTargetError: Static copies cannot be written: ${sentence}`)
    expect(ofDoctor).toBe(sentence)
  })

  it.each([
    ['a missing bucket', 's3://missing-bucket', undefined, ['static_lost']],
    ['a server that does not answer', 's3://copies/x', 'http://127.0.0.1:9', []],
  ])('%s, and the doctor checks everything else', async (_, setting, endpoint, found) => {
    const copies = open(setting, endpoint)
    await shop.publish('about', '<p>x</p>', [10])
    const services = { ...shop.services, copies }
    const checks = (await examineSite(services, shop.site)).map(({ check }) => check)
    expect(checks.filter((check) => check !== 'charset_narrow')).toEqual(found)
    expect((await checkNetwork(services)).map(({ check }) => check)).not.toContain('static_orphan')
    expect((await checkStaticFolder(services)).map(({ check }) => check)).toEqual([
      'static_folder_unwritable',
    ])
  })

  it('a server that does not answer', async () => {
    const [atStart, ofDoctor] = await problemsOf('s3://copies/x', 'http://127.0.0.1:9')
    expect(atStart).toContain('CopyTargetError')
    expect(ofDoctor).toBe('the store at http://127.0.0.1:9 cannot be reached (ECONNREFUSED)')
  })

  // The answers of Amazon's store, as they are documented: the server of the tests accepts all keys, times and regions.
  it.each([
    [301, 'PermanentRedirect', 'is not in the region "us-east-1". Set region=eu-west-1'],
    [400, 'AuthorizationHeaderMalformed', 'is not in the region "us-east-1"'],
    [403, 'RequestTimeTooSkewed', 'the clock of this machine differs'],
    [403, 'SignatureDoesNotMatch', 'rejects the credentials (SignatureDoesNotMatch)'],
    [403, 'AccessDenied', 'do not have the right to read and write objects in s3://copies/live/'],
  ])('%s %s', async (status, code, sentence) => {
    relay.interfere = () => ({ status, code, headers: { 'x-amz-bucket-region': 'eu-west-1' } })
    for (const problem of await problemsOf()) expect(problem).toContain(sentence)
  })

  it.each([
    ['PUT', 'the right to write objects'],
    ['DELETE', 'the right to delete objects'],
    ['HEAD', 'the right to see whether an object exists (s3:ListBucket)'],
  ])('no right to %s; nothing is written', async (method, sentence) => {
    relay.interfere = (request) =>
      request.method === method ? { status: 403, code: 'AccessDenied' } : undefined
    const before = await keys()
    const copies = open(`s3://copies/without-${method.toLowerCase()}`)
    await expect(assertUsable(copies)).rejects.toThrow(UnusableTargetError)
    await expect(assertUsable(copies)).rejects.toThrow(sentence)
    expect(await doctorProblem(copies)).toContain(sentence)
    expect(await keys()).toEqual(before)
  })

  it.each([
    ['PUT', ['if-none-match'], 'If-None-Match of PUT'],
    ['PUT', ['if-match'], 'If-Match of PUT'],
    ['DELETE', ['if-match'], 'If-Match of DELETE'],
  ])(
    'a %s that is executed although its condition (%s) is not met; nothing stays',
    async (method, drop, what) => {
      relay.interfere = (request) => (request.method === method ? { drop } : undefined)
      const before = await keys()
      const [atStart, ofDoctor] = await problemsOf('s3://copies/unconditional')
      const sentence = `the store at ${relay.endpoint} does not evaluate ${what} in s3://copies/unconditional/, so a request that arrives late could overwrite or delete a newer page. Set STATIC_TARGET to a store with conditional writes and deletions, such as Amazon S3 or Ceph 20, or set STATIC_DIR to a folder instead`
      expect(atStart).toBe(`UnusableTargetError: Static copies cannot be written: ${sentence}`)
      expect(ofDoctor).toBe(sentence)
      expect(await keys()).toEqual(before)
    },
  )

  it('a store without any conditions, also one that was used before', async () => {
    await assertUsable(open('s3://copies/former'))
    relay.interfere = () => ({ drop: ['if-match', 'if-none-match'] })
    const copies = open('s3://copies/former')
    await expect(assertUsable(copies)).rejects.toThrow(
      'does not evaluate If-None-Match of PUT, If-Match of PUT, If-Match of DELETE',
    )
    await expect(copies.begin(2, '0123456789abcdef')).rejects.toThrow(UnusableTargetError)
    const { db, globals } = network
    const services = { db, globals, copies } as unknown as DoctorServices
    expect(await checkStaticFolder(services)).toMatchObject([{ check: 'static_folder_unwritable' }])
  })

  it('a clock that differs by minutes, before the store refuses requests', async () => {
    const copies = open()
    await copies.open()
    await assertUsable(copies)
    relay.interfere = () => ({
      status: 404,
      code: 'NoSuchKey',
      headers: { Date: new Date(Date.now() - 400_000).toUTCString() },
    })
    expect(await doctorProblem(copies)).toMatch(
      /^the clock of this machine is (39|40)\d seconds ahead of that of the store/,
    )
  })

  it('leaves nothing in a store that can be used', async () => {
    const copies = open('s3://copies/clean')
    await copies.open()
    const before = await keys()
    await assertUsable(copies)
    expect(await doctorProblem(copies)).toBeUndefined()
    expect(await keys()).toEqual(before)
  })
})
