import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../../src/host/hash.ts'
import { generateToken } from '../../../../src/record/auth/tokens.ts'
import { findHashWeakness, findWeakness } from '../../src/commands/import/weak-secrets.ts'

describe('findWeakness', () => {
  it('accepts random secrets of letters and digits, of hexadecimal and of decimal digits', () => {
    for (let count = 0; count < 2000; count += 1) {
      const decimal = [...randomBytes(64)].map((byte) => byte % 10).join('')
      for (const secret of [
        generateToken(),
        `op_${randomBytes(32).toString('hex')}`,
        `op_${decimal}`,
      ])
        expect([secret, findWeakness(secret)]).toEqual([secret, undefined])
    }
  })

  it.each([
    ['', 'does not begin with op_'],
    [generateToken().slice(3), 'does not begin with op_'],
    [generateToken().slice(0, -1), 'has 63 characters after op_'],
    [`${generateToken()}x`, 'has 65 characters after op_'],
    [`op_${'-'.repeat(64)}`, 'other characters'],
    [`op_${'a'.repeat(64)}`, 'only 1 different'],
    [`op_${'abcdefg'.repeat(10).slice(0, 64)}`, 'only 7 different'],
    [`op_${'k3Xw9QzL'.repeat(8)}`, 'repeats one block'],
    [`op_${'k3Xw9QzLp0v'.repeat(6).slice(0, 64)}`, 'repeats one block'],
    [
      'op_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ98',
      'order of the alphabet',
    ],
    [
      'op_0000000011111111222222223333333344444444555555556666666677777777',
      'order of the alphabet',
    ],
  ])('refuses %j: it %s', (secret, reason) => {
    expect(findWeakness(secret)).toContain(reason)
  })
})

it('findHashWeakness accepts hashes of tokens, and refuses those of obvious texts and what is no hash', () => {
  expect(findHashWeakness(sha256Hex(generateToken()))).toBeUndefined()
  for (const text of ['', 'null', 'token', `op_${'0'.repeat(64)}`])
    expect(findHashWeakness(sha256Hex(text))).toContain('obvious')
  expect(findHashWeakness('0'.repeat(64))).toContain('only 1 different')
  expect(findHashWeakness('abc123d'.repeat(10).slice(0, 64))).toContain('only 7 different')
})
