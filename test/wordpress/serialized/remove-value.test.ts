import { describe, expect, it } from 'vitest'
import { removeValue } from '../../../src/wordpress/serialized/edit-php.ts'
import { SerializedError } from '../../../src/wordpress/serialized/php-value.ts'

describe('removeValue', () => {
  it('removes the entry and keeps the other keys', () => {
    expect(removeValue('a:3:{i:0;N;i:1;a:1:{i:0;N;}i:2;d:1;}', [1])).toBe('a:2:{i:0;N;i:2;d:1;}')
    expect(removeValue('a:1:{s:1:"x";a:1:{s:1:"y";N;}}', ['x', 'y'])).toBe('a:1:{s:1:"x";a:0:{}}')
    expect(removeValue('a:1:{s:1:"x";C:5:"Crate":3:{abc}}', ['x'])).toBe('a:0:{}')
  })

  it('changes the count from 10 to 9', () => {
    const ten = `a:10:{${Array.from({ length: 10 }, (_, key) => `i:${key};N;`).join('')}}`
    expect(removeValue(ten, [0])).toBe(ten.replace('a:10', 'a:9').replace('i:0;N;', ''))
  })

  it('does not change a text without the entry', () => {
    for (const path of [['y'], ['x', 'y'], ['y', 'z']])
      expect(removeValue('a:1:{s:1:"x";a:0:{}}', path)).toBe('a:1:{s:1:"x";a:0:{}}')
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
