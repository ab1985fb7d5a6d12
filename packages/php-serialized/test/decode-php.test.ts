import { describe, expect, it } from 'vitest'
import { decodePhp, findValue } from '../src/decode-php.ts'
import { PhpObject, SerializedError } from '../src/php-value.ts'
import { findSlice } from './find-slice.ts'

/** `theme_mods_opal` of a real site. */
const THEME_MODS =
  'a:9:{i:0;b:0;s:18:"nav_menu_locations";a:3:{s:6:"header";i:23;s:8:"footer_1";i:26;s:8:"footer_2";i:0;}' +
  's:17:"header_image_data";O:8:"stdClass":3:{s:13:"attachment_id";i:77;s:3:"url";s:45:"http://net.test/shop/wp-content/uploads/h.jpg";s:5:"width";i:1200;}' +
  's:5:"ratio";d:1;s:5:"scale";d:0.1;s:6:"sparse";a:3:{i:5;s:4:"five";i:2;s:3:"two";s:1:"k";N;}s:2:"on";b:1;' +
  's:4:"utf8";s:20:"naïve 😀 "q" \\ ;}";s:6:"nested";a:1:{s:4:"deep";a:1:{s:2:"er";a:1:{s:3:"est";i:-1;}}}}'

describe('findValue', () => {
  it('reads through arrays, in order', () => {
    expect(findValue(THEME_MODS, ['nav_menu_locations', 'footer_1'])).toBe(26)
    expect(findValue(THEME_MODS, ['nested', 'deep', 'er', 'est'])).toBe(-1)
    expect(findValue(THEME_MODS, ['utf8'])).toBe('naïve 😀 "q" \\ ;}')
    expect([...(findValue(THEME_MODS, ['sparse']) as Map<unknown, unknown>)]).toEqual([
      [5, 'five'],
      [2, 'two'],
      ['k', null],
    ])
  })

  it('treats a key that spells an integer as that integer', () => {
    const text = 'a:4:{i:12;s:1:"a";s:3:"012";s:1:"b";s:2:"-0";s:1:"c";i:-5;s:1:"d";}'
    expect(findValue(text, ['12'])).toBe('a')
    expect(findValue(text, [12])).toBe('a')
    expect(findValue(text, ['012'])).toBe('b')
    expect(findValue(text, ['-0'])).toBe('c')
    expect(findValue(text, [-0])).toBeUndefined()
    expect(findValue(text, ['-5'])).toBe('d')
    // Written by hand: PHP reads these keys as 7 and 8.
    expect(findValue('a:2:{s:1:"7";N;i:+008;b:1;}', [7])).toBeNull()
    expect(findValue('a:2:{s:1:"7";N;i:+008;b:1;}', [8])).toBe(true)
    expect(decodePhp('i:-0;')).toBe(0)
  })

  it('rejects keys that PHP would convert', () => {
    expect(() => findValue('a:0:{}', [1.5])).toThrow(SerializedError)
    expect(() => findValue('a:0:{}', [2 ** 53])).toThrow(SerializedError)
  })

  it('distinguishes missing from null', () => {
    expect(findValue(THEME_MODS, ['sparse', 'k'])).toBeNull()
    expect(findValue(THEME_MODS, ['sparse', 'k', 'x'])).toBeUndefined()
    expect(findValue(THEME_MODS, ['sparse', 'x'])).toBeUndefined()
    expect(findValue(THEME_MODS, ['utf8', 0])).toBeUndefined()
    expect(findValue('b:0;', [])).toBe(false)
    expect(findValue('b:0;', ['x'])).toBeUndefined()
  })

  it('reads public members only', () => {
    expect(findValue(THEME_MODS, ['header_image_data', 'width'])).toBe(1200)
    const text = 'O:1:"A":2:{s:4:"\0*\0p";i:1;s:4:"\0A\0q";i:2;}'
    expect(findValue(text, ['p'])).toBeUndefined()
    expect(findValue(text, ['q'])).toBeUndefined()
  })

  it('returns classes as text', () => {
    const object = 'O:8:"stdClass":1:{s:2:"é";i:1;}'
    for (const text of [object, 'E:11:"Suit:Hearts";', 'C:5:"Crate":3:{abc}'])
      expect(decodePhp(text)).toEqual(new PhpObject(text))
    expect(findSlice(`a:2:{i:0;${object}i:1;r:2;}`, [1])).toBe(object)
  })

  it('does not look inside C:', () => {
    expect(() => findValue('C:5:"Crate":9:{a:0:{}...}', ['x'])).toThrow(SerializedError)
    expect(() => findValue('a:2:{i:0;C:5:"Crate":4:{i:5;}i:1;R:3;}', [1])).toThrow(SerializedError)
  })

  it('follows references', () => {
    const refs = 'a:2:{s:1:"x";a:1:{s:1:"n";i:1;}s:1:"y";R:2;}'
    expect(findValue(refs, ['y', 'n'])).toBe(1)
    expect(findSlice(refs, ['y'])).toBe('a:1:{s:1:"n";i:1;}')
    const all = decodePhp(refs) as Map<string, unknown>
    expect(all.get('y')).toBe(all.get('x'))
    const outside = 'a:2:{s:1:"a";i:7;s:1:"b";a:1:{i:0;R:2;}}'
    expect(findValue(outside, ['b'])).toEqual(new Map([[0, 7]]))
    const handles = 'a:3:{i:0;O:8:"stdClass":1:{s:1:"m";i:4;}i:1;r:2;i:2;r:4;}'
    expect(findValue(handles, [2, 'm'])).toBe(4)
  })

  it('decodes a cyclic array as a cyclic Map', () => {
    const cyclic = findValue('a:1:{s:4:"self";a:1:{s:4:"self";R:2;}}', ['self'])
    expect(cyclic).toBeInstanceOf(Map)
    expect((cyclic as Map<string, unknown>).get('self')).toBe(cyclic)
  })

  it('uses the last of duplicate keys, like PHP', () => {
    expect(findValue('a:3:{i:0;i:1;i:1;i:9;s:1:"0";i:2;}', [0])).toBe(2)
    expect([...(decodePhp('a:3:{i:0;i:1;i:1;i:9;i:0;i:2;}') as Map<number, number>)]).toEqual([
      [0, 2],
      [1, 9],
    ])
  })

  it('does not access prototypes', () => {
    const text =
      'a:3:{s:9:"__proto__";a:1:{s:8:"polluted";b:1;}s:11:"constructor";i:1;s:8:"toString";i:2;}'
    const value = decodePhp(text) as Map<string, unknown>
    expect(Object.getPrototypeOf(value)).toBe(Map.prototype)
    expect([...value.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    expect(findValue(text, ['__proto__', 'polluted'])).toBe(true)
    expect(findValue('a:0:{}', ['constructor'])).toBeUndefined()
    expect('polluted' in {}).toBe(false)
  })

  it('decodes 100,000 entries and a depth of 100,000', () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => `i:${index};R:1;`)
    expect((decodePhp(`a:100000:{${entries.join('')}}`) as Map<number, unknown>).size).toBe(100_000)
    const deep = `${'a:1:{i:0;'.repeat(100_000)}i:7;${'}'.repeat(100_000)}`
    expect(findValue(deep, Array<number>(100_000).fill(0))).toBe(7)
    expect(decodePhp(deep)).toBeInstanceOf(Map)
  })
})
