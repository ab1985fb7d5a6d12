import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateToken, hashToken, isTokenFormat } from '../../src/auth/tokens.ts'

const token = fc.constant(null).map(generateToken)

describe('generateToken', () => {
  it('returns op_ and 64 letters and digits, never the same twice', () => {
    const tokens = Array.from({ length: 200 }, generateToken)
    for (const one of tokens) expect(one).toMatch(/^op_[A-Za-z0-9]{64}$/)
    expect(new Set(tokens).size).toBe(200)
  })

  it('uses the whole alphabet', () => {
    const letters = new Set(
      Array.from({ length: 200 }, generateToken).join('').replaceAll('op_', ''),
    )
    expect(letters.size).toBe(62)
  })
})

describe('isTokenFormat', () => {
  it('accepts a generated token', () => {
    fc.assert(fc.property(token, (text) => isTokenFormat(text)))
  })

  it('rejects every truncated or extended token', () => {
    fc.assert(
      fc.property(token, fc.nat(66), fc.string({ minLength: 1 }), (text, length, more) => {
        expect(isTokenFormat(text.slice(0, length))).toBe(false)
        expect(isTokenFormat(text.slice(66 - length))).toBe(length === 66)
        expect(isTokenFormat(text + more)).toBe(false)
        expect(isTokenFormat(more + text)).toBe(false)
      }),
    )
  })

  it.each(['', 'op_', `OP_${'a'.repeat(64)}`, `op_${'a'.repeat(63)}é`, `op_${'a'.repeat(64)}\n`])(
    'refuses %j',
    (text) => {
      expect(isTokenFormat(text)).toBe(false)
    },
  )
})

describe('hashToken', () => {
  it('is the SHA-256', () => {
    const text = generateToken()
    expect(hashToken(text).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'))
  })
})
