import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_JSON_DEPTH, readMembers, readParams } from '../../../src/content/markup/read-params.ts'
import { parseJson } from '../../../src/host/parse-json.ts'

const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

describe('readParams', () => {
  it('accepts every object that JSON.parse accepts', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(members, fc.boolean(), (value, pretty) => {
        const text = JSON.stringify(value, null, pretty ? 2 : 0)
        expect({ ...readParams(text) }).toEqual({ ...(parseJson(text) as object) })
      }),
    )
  })

  it.each(['[]', '1', 'null', '"a"', '{', '{a:1}', '{"a":1,}', "{'a':1}", '{} x'])(
    'reads no object in %s',
    (text) => {
      expect(readParams(text)).toBeUndefined()
    },
  )

  it('treats an empty text as no parameters', () => {
    expect(readParams('')).toEqual({})
  })

  it('rejects any number of excess levels', () => {
    expect(readParams(nested(MAX_JSON_DEPTH - 1))).toBeDefined()
    expect(readParams(nested(MAX_JSON_DEPTH))).toBeUndefined()
    expect(readParams(nested(1_000_000))).toBeUndefined()
  })

  it('ignores brackets in strings', () => {
    const text = JSON.stringify({ a: '[{"\\'.repeat(100) })
    expect(readParams(text)).toEqual(JSON.parse(text))
  })

  it('never throws', () => {
    const tokens = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '1', ' '),
    })
    fc.assert(
      fc.property(tokens, (text) => {
        readParams(text)
      }),
    )
  })
})

describe('readMembers', () => {
  it('finds the position of every key and value', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(members, fc.constantFrom(0, 1, '\t\r\n'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const found = readMembers(text).map(({ key, keySpan, value: read, valueSpan }) => {
          expect(JSON.parse(text.slice(keySpan.start, keySpan.end))).toBe(key)
          expect(parseJson(text.slice(valueSpan.start, valueSpan.end))).toEqual(read)
          return [key, read]
        })
        expect(found).toEqual(Object.entries(parseJson(text) as object))
      }),
    )
  })

  it('preserves the notation of numbers and strings', () => {
    const text = '{ "\\u0061" : 1.0e+2 , "b":"\\u002d" }'
    const spans = readMembers(text).map(({ keySpan, valueSpan }) => [
      text.slice(keySpan.start, keySpan.end),
      text.slice(valueSpan.start, valueSpan.end),
    ])
    expect(spans).toEqual([
      ['"\\u0061"', '1.0e+2'],
      ['"b"', '"\\u002d"'],
    ])
  })

  it('uses the last of duplicate keys, like JSON.parse', () => {
    expect(readMembers('{"a":1,"b":2,"\\u0061":3}')).toMatchObject([
      { key: 'b', value: 2 },
      { key: 'a', value: 3, valueSpan: { start: 22, end: 23 } },
    ])
  })
})
