import { describe, expect, it } from 'vitest'
import { decodePhp } from '../src/decode-php.ts'
import { encodePhp } from '../src/encode-php.ts'
import { type PhpInput, SerializedError } from '../src/php-value.ts'

describe('encodePhp', () => {
  it.each<[PhpInput, string]>([
    [null, 'N;'],
    [true, 'b:1;'],
    [false, 'b:0;'],
    [-5, 'i:-5;'],
    [9007199254740991, 'i:9007199254740991;'],
    [9223372036854775807n, 'i:9223372036854775807;'],
    [1.5, 'd:1.5;'],
    [-0, 'd:-0;'],
    [1e20, 'd:1.0E+20;'],
    [2 ** 53, 'd:9007199254740992;'],
    [1.5e-7, 'd:1.5E-7;'],
    [0.00001, 'd:1.0E-5;'],
    [0.0001, 'd:0.0001;'],
    [Number.POSITIVE_INFINITY, 'd:INF;'],
    [Number.NEGATIVE_INFINITY, 'd:-INF;'],
    [Number.NaN, 'd:NAN;'],
    ['', 's:0:"";'],
    ['é"\0😀', 's:8:"é"\0😀";'],
    [[], 'a:0:{}'],
    [{}, 'a:0:{}'],
    [['a', [1]], 'a:2:{i:0;s:1:"a";i:1;a:1:{i:0;i:1;}}'],
    [{ b: 1, a: null }, 'a:2:{s:1:"b";i:1;s:1:"a";N;}'],
    [
      { '12': 1, '012': 2, '-0': 3, '-5': 4 },
      'a:4:{i:12;i:1;s:3:"012";i:2;s:2:"-0";i:3;i:-5;i:4;}',
    ],
    [
      new Map<string | number, PhpInput>([
        [5, 'x'],
        ['2', 'y'],
        ['', 'z'],
      ]),
      'a:3:{i:5;s:1:"x";i:2;s:1:"y";s:0:"";s:1:"z";}',
    ],
    [JSON.parse('{"__proto__":{"a":1}}'), 'a:1:{s:9:"__proto__";a:1:{s:1:"a";i:1;}}'],
  ])('encodes %s as %s', (value, text) => {
    expect(encodePhp(value)).toBe(text)
  })

  it('encodes a shared array twice, and rejects a cycle', () => {
    const shared = [1]
    expect(encodePhp([shared, shared])).toBe('a:2:{i:0;a:1:{i:0;i:1;}i:1;a:1:{i:0;i:1;}}')
    const cyclic: PhpInput[] = []
    cyclic.push([cyclic])
    expect(() => encodePhp(cyclic)).toThrow(SerializedError)
  })

  it.each<[string, PhpInput]>([
    ['an unpaired surrogate', '\u{d83d}'],
    ['an unpaired surrogate in a key', { '\u{dc00}x': 1 }],
    ['too large', 2n ** 63n],
    ['a key that is no integer', new Map([[1.5, 1]])],
    [
      'one key twice',
      new Map<string | number, number>([
        [1, 1],
        ['1', 2],
      ]),
    ],
  ])('rejects %s', (_, value) => {
    expect(() => encodePhp(value)).toThrow(SerializedError)
  })

  it('reports the position of an unpaired surrogate', () => {
    expect(() => encodePhp('é\u{d83d}')).toThrow(expect.objectContaining({ offset: 2 }))
  })

  it.each([[undefined], [[undefined]], [new Date()], [() => 1], [new Set()]])(
    'has no text for %o',
    (value) => {
      expect(() => encodePhp(value as unknown as PhpInput)).toThrow(TypeError)
    },
  )

  it('encodes 100,000 entries and a depth of 100,000', () => {
    const wide = Array.from({ length: 100_000 }, (_, index) => index)
    expect((decodePhp(encodePhp(wide)) as Map<number, number>).size).toBe(100_000)
    let deep: PhpInput = 7
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(encodePhp(deep)).toBe(`${'a:1:{i:0;'.repeat(100_000)}i:7;${'}'.repeat(100_000)}`)
  })
})
