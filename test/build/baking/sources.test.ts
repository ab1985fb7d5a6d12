import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { decodeDataset } from '../../../src/build/baking/sources/dataset-source.ts'
import { withoutBlockComments } from '../../../src/build/baking/sources/page-source.ts'

describe('a dataset', () => {
  it.each([
    ['JSON', '{"a":[1,"x",true,null,{"b":1.5}]}', { a: [1, 'x', true, null, { b: 1.5 }] }],
    ['a list in JSON', '[1,2]', [1, 2]],
    ['a number', '5', 5],
    ['a PHP array', encodePhp({ a: ['x', { b: true }] }), { a: ['x', { b: true }] }],
    ['a list that begins at 1', 'a:1:{i:1;s:1:"x";}', { '1': 'x' }],
    ['a large integer', 'a:1:{i:0;i:9223372036854775807;}', ['9223372036854775807']],
    ['an object', 'a:2:{s:1:"o";O:8:"stdClass":0:{}s:1:"x";i:1;}', { o: null, x: 1 }],
    ['nothing', 'a:0:{}', []],
    ['infinity', 'a:1:{i:0;d:INF;}', [null]],
    ['a name that objects inherit', '{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
  ])('may be %s', (_, text, expected) => {
    expect(decodeDataset(text)).toEqual(expected)
  })

  it.each([[''], ['plain text'], ['a:1:{i:0;'], ['null']])('is undefined for %j', (text) => {
    expect(decodeDataset(text)).toBeUndefined()
  })

  it('is cut if it is nested too deeply', () => {
    const json = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(JSON.stringify(decodeDataset(json))).toBe(`${'['.repeat(32)}null${']'.repeat(32)}`)
  })

  it('is cut if PHP references expand to billions of entries', () => {
    // Each array holds the one before it twice: PHP numbers values as they come, a reference is none.
    const doubled = Array.from({ length: 28 }, (_, index) => {
      const before = index === 0 ? 2 : index + 3
      return `i:${index + 1};a:2:{i:0;R:${before};i:1;R:${before};}`
    })
    const text = `a:29:{i:0;a:1:{i:0;i:1;}${doubled.join('')}}`
    const { length } = JSON.stringify(decodeDataset(text))
    expect(length).toBeGreaterThan(500_000)
    expect(length).toBeLessThan(5_000_000)
  })

  it.each([
    ['texts', (long: string) => long],
    ['names', (long: string) => `a:1:{${long}i:1;}`],
  ])('is cut if PHP references repeat long %s', (_, first) => {
    const long = `s:100000:"${'x'.repeat(100_000)}";`
    const repeated = Array.from({ length: 2000 }, (_, index) => `i:${index + 1};R:2;`)
    const value = decodeDataset(`a:2001:{i:0;${first(long)}${repeated.join('')}}`)
    const { length } = JSON.stringify(value)
    expect(length).toBeGreaterThan(5_000_000)
    expect(length).toBeLessThan(9_000_000)
  })
})

describe('page content', () => {
  it.each([
    ['<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->', '<p>a</p>'],
    ['<!-- wp:image {"id":5,"alt":"a \\u002d\\u002d> b"} -->\n<img>\n<!-- /wp:image -->', '<img>'],
    ['<!-- wp:separator /-->\n<hr>', '<hr>'],
    ['<p>a</p><!-- a comment --><p>b</p>', '<p>a</p><!-- a comment --><p>b</p>'],
    ['classic\n\ntext', 'classic\n\ntext'],
    ['a<!-- wp:never-ends ', 'a<!-- wp:never-ends'],
    ['<!--wp:no-space-->x', '<!--wp:no-space-->x'],
    ['<!-- wp:x {"a":"<!-- wp:y "} -->b', 'b'],
  ])('%j becomes %j', (content, expected) => {
    expect(withoutBlockComments(content)).toBe(expected)
  })
})
