import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyedRequest } from '../../../src/record/idempotency/keyed-request.ts'
import { openAnswer, sealAnswer } from '../../../src/record/idempotency/sealed-answer.ts'

const secret = randomBytes(32)

describe('a sealed answer', () => {
  it('is opened with its secret', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.option(fc.stringMatching(/^"[\w.-]+"$/), { nil: undefined }),
        async (text, tag) => {
          const bytes = Buffer.from(text)
          const answer = { bytes, tag, requestId: 'first' }
          expect(await openAnswer(await sealAnswer(answer, secret), secret)).toEqual(answer)
        },
      ),
    )
  })

  it('does not contain what it answers, and is not opened with another secret', async () => {
    const bytes = Buffer.from(JSON.stringify({ token: `op_${'x1'.repeat(32)}` }))
    const sealed = await sealAnswer({ bytes, tag: undefined, requestId: 'first' }, secret)
    expect(sealed.includes('x1x1')).toBe(false)
    await expect(openAnswer(sealed, randomBytes(32))).rejects.toThrow()
    sealed[40] = (sealed[40] ?? 0) ^ 1
    await expect(openAnswer(sealed, secret)).rejects.toThrow()
  })
})

describe('keyedRequest', () => {
  it('differs by token, key and request', () => {
    const of = (token: string, key: string, request: unknown) => {
      const { id, request: digest, secret } = keyedRequest(token, key, [request])
      return [id, digest, secret].map((bytes) => bytes.toString('hex'))
    }
    const [id, request, own] = of('a', 'k', 1)
    expect(of('a', 'k', 1)).toEqual([id, request, own])
    expect(of('a', 'k', 2)).toEqual([id, expect.not.stringMatching(request ?? ''), own])
    for (const other of [of('b', 'k', 1), of('a', 'l', 1)]) {
      expect(other[0]).not.toBe(id)
      expect(other[2]).not.toBe(own)
    }
  })
})
