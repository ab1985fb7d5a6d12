import { describe, expect, it } from 'vitest'
import { PhpObject, type PhpValue, phpInt, SerializedError } from '#php-serialized'
import {
  findDamage,
  idIn,
  isSerialized,
  maybeUnserialize,
  unserialize,
} from '../../src/wordpress/stored-value.ts'
import strings from '../data/strings.json' with { type: 'json' }

/** Input, the text that WordPress stores, and the results of `is_serialized`, loose and strict. */
const MAYBE = strings.maybe_serialize as [string, string, boolean, boolean][]

it.each(MAYBE)('WordPress stores %j as %j', (input, stored, _, strictly) => {
  expect(isSerialized(input)).toBe(strictly)
  expect(maybeUnserialize(stored)).toBe(input)
})

it.each<[string, boolean]>([
  ['N;', true],
  [' \t\n\r\0\vN;', true],
  ['\u{a0}N;', false],
  ['a:0:{} trailing', false],
  ['s:1:"x"; trailing', false],
  ['s:1:x"y', false],
  ['s:1:x;', false],
  ['a:1:', false],
  ['a:1}:;', false],
  ['i:;5;', false],
  ['i:5;5', false],
  ['i:5;5;', false],
  ['b:true;', false],
  ['a:x:{}', false],
  ['ab:1;', false],
  ['O:1;', false],
  ['i:;', false],
  ['d:0.5E-3;', true],
  ['é:1;', false],
])('isSerialized returns for %j: %s', (text, expected) => {
  expect(isSerialized(text)).toBe(expected)
})

describe('maybeUnserialize', () => {
  it('unserializes once, and trims white space', () => {
    expect(maybeUnserialize('s:8:"s:1:"x";";')).toBe('s:1:"x";')
    expect(maybeUnserialize('\n a:1:{i:0;b:1;} ')).toEqual(new Map([[0, true]]))
    expect(maybeUnserialize(' plain ')).toBe(' plain ')
    expect(maybeUnserialize('b:0;')).toBe(false)
  })

  it('ignores bytes after the value, and leaves a text that does not end as a value', () => {
    expect(maybeUnserialize('a:1:{i:0;b:1;}}')).toEqual(new Map([[0, true]]))
    expect(maybeUnserialize('a:1:{i:0;b:1;}x;')).toEqual(new Map([[0, true]]))
    expect(maybeUnserialize('a:1:{i:0;b:1;}x')).toBe('a:1:{i:0;b:1;}x')
    expect(maybeUnserialize('s:1:"x";y";')).toBe('x')
  })

  it('rejects damage instead of returning false', () => {
    expect(() => maybeUnserialize('s:5:"ab";')).toThrow(SerializedError)
  })

  it('trims long white space quickly', () => {
    const blank = ' '.repeat(500_000)
    expect(maybeUnserialize(`x${blank}x`)).toBe(`x${blank}x`)
  })
})

/** Right: PHP 8.2, `max((int) $value, 0)`. */
it.each([
  ['12', 12],
  [' 12', 12],
  ['\n12', 12],
  ['12abc', 12],
  ['12.9', 12],
  ['1e3', 1000],
  ['+7', 7],
  ['0x1A', 0],
  ['-5', 0],
  ['abc', 0],
  ['', 0],
  [null, 0],
  [true, 1],
  [12.9, 12],
])('%j names the id %i', (value, id) => {
  expect(idIn(value)).toBe(id)
})

/** Right: PHP 8.2, `(int) $value`. */
it.each<[PhpValue, number]>([
  ['.5', 0],
  ['.25e2', 25],
  ['12.', 12],
  ['12.50', 12],
  ['1e', 1],
  ['1.5e3', 1500],
  ['1e+2', 100],
  ['1e02', 100],
  ['1e-1', 0],
  ['x12', 0],
  ['\v12', 12],
  ['-12', -12],
  ['', 0],
  [new Map(), 0],
  [new Map([[0, '']]), 1],
  [new PhpObject('O:1:"A":0:{}'), 1],
  [false, 0],
  ['-0.5', 0],
])('%j is cast to %i', (value, integer) => {
  expect(phpInt(value)).toBe(integer)
})

describe('damage', () => {
  it.each([
    ['a:1:{i:0;s:9:"x";}', 'found the end, expected "; after 9 bytes at byte 18'],
    [' a:1:{broken', 'found "broken", expected a key at byte 5'],
    ['a:10:{', 'found the end, expected a key at byte 6'],
    ['O:8:{x', 'found "O:8:{x", expected a value at byte 0'],
    [
      'a:0:{} rest',
      'found "t" as the last character, expected ; or }, after a value that ends at byte 6',
    ],
  ])('of %s is described', (text, message) => {
    expect(findDamage(text)?.message).toBe(message)
    expect(() => unserialize(text)).toThrow(message)
  })

  it.each(['a:1:{i:0;s:1:"x";}', 'a:0:{} rest}', 'plain', 'x a:1:{', 'b:1;', 'N;', 'i:5;x'])(
    'is not in %s',
    (text) => {
      expect(findDamage(text)).toBeUndefined()
    },
  )

  it('of a text that is no value is an error only where a value is expected', () => {
    expect(unserialize(' a:0:{} ')).toEqual(new Map())
    expect(() => unserialize('x')).toThrow('found "x", expected a value at byte 0')
  })
})
