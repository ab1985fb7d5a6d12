import { describe, expect, it } from 'vitest'
import { removeValue, setValue } from '../src/edit-php.ts'
import { SerializedError } from '../src/php-value.ts'

/** Slots: 1 root, 2 before, 3 x, 4 x.n, 5 object; `y` takes none, `z` takes 6. */
const REFS =
  'a:5:{s:6:"before";i:0;s:1:"x";a:1:{s:1:"n";i:1;}s:1:"o";O:8:"stdClass":0:{}s:1:"y";R:3;s:1:"z";r:5;}'

it('edits among references rejects separating a reference from its value', () => {
  for (const path of [['x'], ['o']]) {
    expect(() => setValue(REFS, path, 'i:1;')).toThrow(SerializedError)
    expect(() => removeValue(REFS, path)).toThrow(SerializedError)
  }
  const inner = 'a:2:{s:1:"x";a:1:{s:1:"n";i:1;}s:1:"y";R:3;}'
  expect(() => removeValue(inner, ['x'])).toThrow(SerializedError)
  expect(() => setValue(inner, ['x', 'n'], 'i:2;')).toThrow(SerializedError)
  expect(setValue(inner, ['x', 'm'], 'i:2;')).toContain('R:3;')
})

describe('edits around C:', () => {
  const around = (payload: string): string =>
    `a:3:{i:0;i:1;i:1;C:5:"Crate":${payload.length}:{${payload}}i:2;i:3;}`

  it('does not change the payload', () => {
    const text = around('x:i:0;a:1:{i:0;i:1;};m:a:0:{}')
    expect(removeValue(text, [0])).toBe(text.replace('a:3', 'a:2').replace('i:0;i:1;', ''))
    expect(setValue(text, [2], 'a:0:{}')).toBe(text.replace('i:2;i:3;', 'i:2;a:0:{}'))
  })

  it('rejects moving values that a payload refers to', () => {
    const text = around('a:2:{i:0;O:8:"stdClass":0:{}i:1;r:4;}')
    expect(() => removeValue(text, [0])).toThrow(SerializedError)
    expect(() => setValue(text, [0], 'a:1:{i:0;N;}')).toThrow(SerializedError)
    expect(setValue(text, [0], 'i:2;')).toBe(text.replace('i:0;i:1;', 'i:0;i:2;'))
    expect(removeValue(text, [2])).toBe(text.replace('a:3', 'a:2').replace('i:2;i:3;', ''))
  })

  it('rejects removing values that a payload refers to', () => {
    expect(() => setValue(around('r:2;'), [0], 'i:2;')).toThrow(SerializedError)
  })

  it('rejects moving values that a base64 payload may refer to', () => {
    const text = around('YToyOntpOjA7cjo1O2k6MTtyOjU7fQ==')
    expect(() => removeValue(text, [0])).toThrow(SerializedError)
    expect(setValue(text, [0], 'i:2;')).toBe(text.replace('i:0;i:1;', 'i:0;i:2;'))
  })

  it('does not mistake text in a payload for a reference', () => {
    const text = around('color:5;')
    expect(removeValue(text, [0])).toBe(text.replace('a:3', 'a:2').replace('i:0;i:1;', ''))
  })

  it('resolves a reference to the object itself', () => {
    const text = 'a:3:{i:0;C:5:"Crate":0:{}i:1;i:1;i:2;r:2;}'
    expect(setValue(text, [1], 'a:0:{}')).toBe(text.replace('i:1;i:1;', 'i:1;a:0:{}'))
    expect(() => removeValue(text, [0])).toThrow(SerializedError)
  })

  it('rejects moving a payload that follows another', () => {
    const text = 'a:2:{i:0;C:5:"Crate":0:{}i:1;C:5:"Crate":24:{YToyOntpOjA7cjo1O2k6MTty}}'
    expect(() => setValue(text, [0], 'N;')).toThrow(SerializedError)
  })

  it('resolves no slot after the first of two', () => {
    const text = 'a:4:{i:0;C:5:"Crate":0:{}i:1;i:1;i:2;R:3;i:3;C:5:"Crate":0:{}}'
    expect(() => setValue(text, [1], 'a:0:{}')).toThrow(SerializedError)
  })

  it('rejects moving or removing values at unknown slots after it', () => {
    const text = 'a:4:{i:0;i:1;i:1;C:5:"Crate":2:{N;}i:2;i:3;i:3;R:5;}'
    expect(() => setValue(text, [2], 'i:4;')).toThrow(SerializedError)
    expect(() => removeValue(text, [2])).toThrow(SerializedError)
    expect(() => removeValue(text, [1])).toThrow(SerializedError)
    expect(removeValue(text, [3])).toBe('a:3:{i:0;i:1;i:1;C:5:"Crate":2:{N;}i:2;i:3;}')
    expect(removeValue(text, [0])).toBe('a:3:{i:1;C:5:"Crate":2:{N;}i:2;i:3;i:3;R:4;}')
  })
})
