import { describe, expect, it } from 'vitest'
import { setValue } from '../../../src/wordpress/serialized/edit-php.ts'
import { SerializedError } from '../../../src/wordpress/serialized/php-value.ts'
import { findSlice } from './find-slice.ts'

describe('setValue', () => {
  it('changes only the value', () => {
    const text =
      'a:5:{i:5;d:1;i:2;d:1.0E+25;s:1:"o";O:8:"stdClass":1:{s:4:"\0*\0p";E:3:"A:B";}s:1:"x";a:1:{s:2:"é";i:1;}s:1:"z";d:-0;}'
    expect(setValue(text, ['x', 'é'], 's:6:"ü😀";')).toBe(text.replace('i:1;', 's:6:"ü😀";'))
  })

  it('appends a missing key and increments the count', () => {
    expect(setValue('a:0:{}', ['x'], 'i:1;')).toBe('a:1:{s:1:"x";i:1;}')
    const nine = `a:9:{${Array.from({ length: 9 }, (_, key) => `i:${key};N;`).join('')}}`
    expect(setValue(nine, ['9'], 'N;')).toBe(`${nine.replace('a:9', 'a:10').slice(0, -1)}i:9;N;}`)
    expect(setValue('a:1:{i:5;N;}', ['-7'], 'N;')).toBe('a:2:{i:5;N;i:-7;N;}')
    expect(setValue('a:0:{}', ['__proto__'], 'N;')).toBe('a:1:{s:9:"__proto__";N;}')
  })

  it('creates missing arrays on the path', () => {
    expect(setValue('a:0:{}', ['x', 3, '03'], 'b:1;')).toBe(
      'a:1:{s:1:"x";a:1:{i:3;a:1:{s:2:"03";b:1;}}}',
    )
    expect(setValue('a:1:{s:1:"x";a:0:{}}', ['x', 'y', 'z'], 'i:1;')).toBe(
      'a:1:{s:1:"x";a:1:{s:1:"y";a:1:{s:1:"z";i:1;}}}',
    )
  })

  it('replaces a null on the path with an array, like PHP', () => {
    expect(setValue('a:2:{s:1:"x";N;i:0;N;}', ['x', 'y'], 'i:1;')).toBe(
      'a:2:{s:1:"x";a:1:{s:1:"y";i:1;}i:0;N;}',
    )
    expect(setValue('a:1:{s:1:"x";N;}', ['x'], 'i:1;')).toBe('a:1:{s:1:"x";i:1;}')
  })

  it('replaces everything for an empty path', () => {
    expect(setValue('a:1:{i:0;R:1;}', [], 'a:0:{}')).toBe('a:0:{}')
  })

  it.each([
    ['N;', ['x']],
    ['i:5;', ['x']],
    ['s:1:"a";', [0]],
    ['a:1:{s:1:"x";b:0;}', ['x', 'y']],
    ['a:1:{s:1:"x";s:0:"";}', ['x', 'y']],
    ['O:8:"stdClass":1:{s:1:"x";i:1;}', ['x']],
    ['a:1:{i:0;O:8:"stdClass":0:{}}', [0, 'x']],
    ['a:1:{i:0;C:5:"Crate":6:{a:0:{}}}', [0, 'x']],
    ['a:1:{i:0;E:3:"A:B";}', [0, 'x']],
    ['a:2:{i:0;a:0:{}i:1;R:2;}', [1, 'x']],
  ])('rejects an edit of %j at %j', (text, path) => {
    expect(() => setValue(text, path, 'i:1;')).toThrow(SerializedError)
  })

  it('rejects a duplicate key', () => {
    const twice = 'a:3:{i:0;i:1;i:1;i:2;s:1:"0";i:3;}'
    expect(() => setValue(twice, [0], 'N;')).toThrow(SerializedError)
    expect(setValue(twice, [1], 'N;')).toBe(twice.replace('i:1;i:2;', 'i:1;N;'))
  })

  it.each([
    '',
    'i:1',
    'i:1;i:2;',
    'x',
    's:9:"a";',
    '\u{dc00}',
    'a:2:{i:0;N;i:1;R:2;}',
    'a:2:{i:0;O:1:"A":0:{}i:1;r:2;}',
    'C:1:"C":0:{}',
  ])('rejects %j as a value', (encoded) => {
    expect(() => setValue('a:0:{}', ['x'], encoded)).toThrow(SerializedError)
  })

  it('rejects a key that UTF-8 cannot encode', () => {
    expect(() => setValue('a:0:{}', ['\u{d800}'], 'N;')).toThrow(SerializedError)
  })

  it('edits among 100,000 entries, at a depth of 100,000, and creates as many levels', () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => `i:${index};R:1;`)
    const wide = `a:100001:{s:1:"x";i:1;${entries.join('')}}`
    expect(setValue(wide, ['x'], 'b:1;')).toBe(wide.replace('i:1;', 'b:1;'))
    const path = Array<number>(100_000).fill(0)
    const deep = setValue('a:0:{}', path, 'i:7;')
    expect(deep).toBe(`${'a:1:{i:0;'.repeat(100_000)}i:7;${'}'.repeat(100_000)}`)
    expect(findSlice(setValue(deep, path, 'N;'), path)).toBe('N;')
  })
})
