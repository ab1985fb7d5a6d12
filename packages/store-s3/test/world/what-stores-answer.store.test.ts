import { afterEach, describe, expect, it } from 'vitest'
import { assertUsable, useStore } from '../store-fixture.ts'

/** The signature of a request is 64 hexadecimal digits. */
const SIGNATURE = 'b7f5'.repeat(16)

/**
 * Stores say why they refuse a request, and a store or a proxy can repeat what it got, with keys and signatures.
 * Right: the operator reads the reason, and no log contains a key. S3 API reference, "Error responses": `Code` has no blanks,
 * `Message` a sentence.
 */
describe('what stores answer', async () => {
  const { relay, open } = await useStore()
  afterEach(() => {
    relay.interfere = () => undefined
  })

  async function problemOf(answer: {
    status: number
    code: string
    message?: string
    headers?: Record<string, string>
  }): Promise<string> {
    relay.interfere = () => answer
    const copies = open()
    const error = await assertUsable(copies).then(
      () => new Error('no problem'),
      (reason: Error) => reason,
    )
    await copies.close()
    // The log has the cause, too.
    return `${error.message} / ${error.cause instanceof Error ? error.cause.message : ''}`
  }

  it.each([
    [
      400,
      'InvalidRequest',
      'Missing required header',
      'answered with 400 InvalidRequest: "Missing required header"',
    ],
    [
      403,
      'UserDisable',
      'UserDisable',
      'refuses to read and write objects in s3://copies/live/ (403 UserDisable: "UserDisable")',
    ],
    [403, 'Arrears', 'The account is in arrears.', '(403 Arrears: "The account is in arrears")'],
    [
      403,
      'AccessDenied',
      'No &quot;s3:PutObject&quot; by a policy',
      'do not have the right to read and write objects in s3://copies/live/ (AccessDenied: "No "s3:PutObject" by a policy")',
    ],
    [401, 'Unauthorized', 'Log in', 'do not have the right'],
    [403, 'PathStyleDomainForbidden', 'Use the other', 'Set style=virtual in STATIC_TARGET'],
    [
      403,
      'InvalidAccessKeyId',
      'It is not known',
      'rejects the credentials (InvalidAccessKeyId: "It is not known")',
    ],
    [405, 'MethodNotAllowed', 'a&#10;b &lt;i&gt;', '405 MethodNotAllowed'],
  ])('%s %s', async (status, code, message, sentence) => {
    const problem = await problemOf({ status, code, message })
    expect(problem).toContain(sentence)
    if (code !== 'AccessDenied' && code !== 'Unauthorized')
      expect(problem).not.toContain('do not have the right')
  })

  const echoes = [
    `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, Signature=${SIGNATURE}`,
    `secret-of-the-test ${SIGNATURE}`,
    `test:${SIGNATURE}`,
    'x'.repeat(100_000),
    `PUT /\u001b[31m ${SIGNATURE}\r\nSet-Cookie: a`,
  ]

  it.each(echoes)('%#: a code that is no code', async (text) => {
    const problem = await problemOf({ status: 403, code: text })
    expect(problem).toContain('(Forbidden)')
    expect(problem).not.toContain(text.slice(0, 40))
  })

  it.each(echoes)('%#: a message with what was sent', async (text) => {
    const problem = await problemOf({ status: 400, code: 'Bad', message: `We got ${text}` })
    expect(problem).toContain('400 Bad: "We got')
    expect(problem).not.toContain(SIGNATURE)
    expect(problem).not.toContain('secret-of-the-test')
    expect(problem).not.toMatch(/Credential=test|\btest:/)
    expect(problem).not.toMatch(/[\x00-\x1f]/)
    expect(problem.length).toBeLessThan(1_000)
  })

  it.each([
    ['eu-west-1', 'Set region=eu-west-1'],
    [`eu ${SIGNATURE}`, 'Set region=its region'],
    ['x'.repeat(5_000), 'Set region=its region'],
  ])('a region: %#', async (region, sentence) => {
    const headers = { 'x-amz-bucket-region': region }
    expect(await problemOf({ status: 301, code: 'PermanentRedirect', headers })).toContain(sentence)
  })
})
