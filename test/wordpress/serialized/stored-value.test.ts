import { describe, expect, it } from 'vitest'
import { decodePhp } from '../../../src/wordpress/serialized/decode-php.ts'
import { encodePhp } from '../../../src/wordpress/serialized/encode-php.ts'
import { type PhpInput, SerializedError } from '../../../src/wordpress/serialized/php-value.ts'
import {
  isSerialized,
  maybeSerialize,
  maybeUnserialize,
} from '../../../src/wordpress/serialized/stored-value.ts'
import strings from '../../data/strings.json' with { type: 'json' }

/** Input, what WordPress stores, and what `is_serialized` says, loosely and strictly. */
const MAYBE = strings.maybe_serialize as [string, string, boolean, boolean][]

/** Input, PHP's `serialize`, and what `maybe_serialize` gives. JSON lost the order and the floats of some. */
const PHP = strings.php_serialize as [PhpInput, string, PhpInput][]

describe('WordPress says', () => {
  it.each(MAYBE)('%j is stored as %j', (input, stored, loosely, strictly) => {
    expect(maybeSerialize(input)).toBe(stored)
    expect(isSerialized(input, false)).toBe(loosely)
    expect(isSerialized(input)).toBe(strictly)
    expect(maybeUnserialize(stored)).toBe(input)
  })

  it.each(PHP)('%j is serialized as %s', (input, serialized, stored) => {
    if (serialized === 'd:1;' || serialized.includes('i:2;d:1;'))
      expect(decodePhp(serialized)).toEqual(decodePhp(encodePhp(input)))
    else if (serialized.startsWith('a:2:{i:5;'))
      expect(
        encodePhp(
          new Map([
            ['5', 'x'],
            ['2', 'y'],
          ]),
        ),
      ).toBe(serialized)
    else {
      expect(encodePhp(input)).toBe(serialized)
      if (typeof stored === 'string') expect(maybeSerialize(input)).toBe(stored)
    }
  })
})

describe('isSerialized', () => {
  it.each<[string, boolean, boolean]>([
    ['N;', true, true],
    [' \t\n\r\0\vN;', true, true],
    ['\u{a0}N;', false, false],
    ['a:0:{} trailing', false, true],
    ['s:1:"x"; trailing', false, true],
    ['s:1:x"y', false, false],
    ['s:1:x;', false, false],
    ['a:1:', false, false],
    ['a:1}:;', false, false],
    ['i:;5;', false, false],
    ['i:5;5', false, true],
    ['i:5;5;', false, true],
    ['b:true;', false, false],
    ['a:x:{}', false, false],
    ['ab:1;', false, false],
    ['O:1;', false, false],
    ['i:;', false, false],
    ['d:0.5E-3;', true, true],
    ['é:1;', false, false],
  ])('of %j is %s, loosely %s', (text, strictly, loosely) => {
    expect(isSerialized(text)).toBe(strictly)
    expect(isSerialized(text, false)).toBe(loosely)
  })
})

describe('maybeSerialize', () => {
  it.each<[PhpInput, string]>([
    [true, '1'],
    [false, ''],
    [null, ''],
    [12, '12'],
    [-9007199254740993n, '-9007199254740993'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e25, '1.0E+25'],
    [-0, '-0'],
    [['x'], 'a:1:{i:0;s:1:"x";}'],
    [{}, 'a:0:{}'],
    ['i:5;5', 's:5:"i:5;5";'],
  ])('stores %s as %j', (value, stored) => {
    expect(maybeSerialize(value)).toBe(stored)
  })

  it('refuses half a surrogate pair even in plain text', () => {
    expect(() => maybeSerialize('\u{d800}')).toThrow(SerializedError)
  })
})

describe('maybeUnserialize', () => {
  it('reads once, around blanks', () => {
    expect(maybeUnserialize('s:8:"s:1:"x";";')).toBe('s:1:"x";')
    expect(maybeUnserialize('\n a:1:{i:0;b:1;} ')).toEqual(new Map([[0, true]]))
    expect(maybeUnserialize(' plain ')).toBe(' plain ')
    expect(maybeUnserialize('b:0;')).toBe(false)
  })

  it('refuses damage instead of reading false', () => {
    expect(() => maybeUnserialize('s:5:"ab";')).toThrow(SerializedError)
  })

  it('takes no more than a moment for a long blank', () => {
    const blank = ' '.repeat(500_000)
    expect(maybeUnserialize(`x${blank}x`)).toBe(`x${blank}x`)
  })
})
