import { describe, expect, it } from 'vitest'
import { removeValue, setValue } from '../src/edit-php.ts'
import { SerializedError } from '../src/php-value.ts'
import { findSlice } from './find-slice.ts'

const nine = `a:9:{${Array.from({ length: 9 }, (_, key) => `i:${key};N;`).join('')}}`
const ten = `${nine.replace('a:9', 'a:10').slice(0, -1)}i:9;N;}`

describe('setValue', () => {
  it('changes the count from 9 to 10, and appends a key with the name of a prototype', () => {
    expect(setValue(nine, ['9'], 'N;')).toBe(ten)
    expect(setValue('a:0:{}', ['__proto__'], 'N;')).toBe('a:1:{s:9:"__proto__";N;}')
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

describe('removeValue', () => {
  it('changes the count from 10 to 9', () => {
    expect(removeValue(ten, [9])).toBe(nine)
  })

  it.each([
    ['a:0:{}', []],
    ['N;', ['x']],
    ['a:1:{s:1:"x";i:5;}', ['x', 'y']],
    ['O:8:"stdClass":1:{s:1:"x";i:1;}', ['x']],
    ['a:2:{i:0;i:1;i:0;i:2;}', [0]],
    ['a:2:{i:0;a:1:{i:0;N;}i:1;R:2;}', [1, 0]],
  ])('rejects a removal from %j at %j', (text, path) => {
    expect(() => removeValue(text, path)).toThrow(SerializedError)
  })
})
