import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import {
  decodeMeta,
  decodeRecord,
  decodeRecordOrEmpty,
  encodeRecord,
  inspectRecord,
  readRecordNames,
} from '../../../src/content/frames/record.ts'

const ID = 'f00d'
const RECORD = {
  slug: 'header',
  html: '<p>é</p>',
  created_at_gmt: '2026-01-02 03:04:05',
  updated_at_gmt: '2026-02-03 04:05:06',
  updated_by: 7,
}
const UNKNOWN = '0000-00-00 00:00:00'
const NOTHING = { created_at_gmt: UNKNOWN, updated_at_gmt: UNKNOWN, updated_by: 0 }
/** A truncated array. */
const DAMAGED = encodeRecord(RECORD).slice(0, -9)

describe('a stored record', () => {
  it('is decoded as it was encoded', () => {
    expect(decodeRecord(encodeRecord(RECORD), ID, 'header')).toEqual(RECORD)
    expect(inspectRecord(encodeRecord(RECORD), ID, 'header')).toEqual({
      record: RECORD,
      isCurrentFormat: true,
      storedSlug: 'header',
    })
  })

  it('gets the slug of the registry, and reports its own', () => {
    const { record, storedSlug } = inspectRecord(encodeRecord(RECORD), ID, 'renamed')
    expect(record).toEqual({ ...RECORD, slug: 'renamed' })
    expect(storedSlug).toBe('header')
  })

  it.each(Object.keys(RECORD))('is in a legacy format if it lacks %s', (field) => {
    const { [field as 'slug']: _, ...others } = RECORD
    const text = encodePhp({ markup: 'x', ...others })
    expect(inspectRecord(text, ID, 'header').isCurrentFormat).toBe(false)
  })

  it.each(['html', 'markup', 'content'])('may contain its markup in the field %s', (key) => {
    const legacy = { record: { ...NOTHING, slug: 'header', html: 'x' }, isCurrentFormat: false }
    expect(inspectRecord(encodePhp({ [key]: 'x' }), ID, 'header')).toMatchObject(legacy)
    expect(inspectRecord(JSON.stringify({ [key]: 'x' }), ID, 'header')).toMatchObject(legacy)
    expect(
      inspectRecord(JSON.stringify({ ...RECORD, [key]: 'x' }), ID, 'header').isCurrentFormat,
    ).toBe(false)
  })

  it('may contain unknown fields', () => {
    const more = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`field_${index}`, '']))
    const read = inspectRecord(encodePhp({ ...RECORD, ...more }), ID, 'header')
    expect(read).toEqual({ record: RECORD, isCurrentFormat: true, storedSlug: 'header' })
  })

  it.each([
    [' ', ''],
    ['', '\n'],
    ['', ';'],
    ['', '}x}'],
  ])('may have bytes around it that WordPress ignores: %j, %j', (before, after) => {
    expect(decodeRecord(`${before}${encodeRecord(RECORD)}${after}`, ID, 'header')).toEqual(RECORD)
  })

  it('is damaged if WordPress would read the array as a text', () => {
    expect(() => decodeRecord(`${encodeRecord(RECORD)}x`, ID, 'header')).toThrow(
      'found "x" as the last character, expected ; or }',
    )
  })

  it.each([
    '{"title":"no markup"}',
    '{"html":5}',
    '{ not JSON',
    '["html"]',
    '<p>{"html":"x"}</p>',
    'a:1 is no array',
    's:9:"short";',
  ])('may be bare markup: %s', (text) => {
    expect(decodeRecord(text, ID, 'header')).toEqual({ ...NOTHING, slug: 'header', html: text })
  })

  it('may be bare markup that WordPress serialized because it looked serialized', () => {
    const text = encodePhp('s:3:"abc";')
    expect(decodeRecord(text, ID, 'header').html).toBe('s:3:"abc";')
  })

  it.each(['2026-01-02', '2026-01-02 03:04:05Z', 'on 2026-01-02 03:04:05', 5])(
    'has no creation time if the field is %s',
    (date) => {
      const { created_at_gmt } = decodeRecord(
        encodePhp({ html: '', created_at_gmt: date }),
        ID,
        'a',
      )
      expect(created_at_gmt).toBe(UNKNOWN)
    },
  )

  it('may be an empty frame', () => {
    expect(decodeRecord(encodePhp({ html: '' }), ID, 'a').html).toBe('')
  })

  it.each([
    ['another field', { slug: 'a', source: '<p>the only copy</p>' }],
    ['a field that is not a string', { html: 5 }],
    ['no field', {}],
  ])('with its markup in %s is not read as an empty frame', (_, fields) => {
    const text = encodePhp(fields)
    expect(() => inspectRecord(text, ID, 'a')).toThrow(
      expect.objectContaining({
        code: 'frame_unreadable',
        message: expect.stringMatching(
          /frame f00d contains no markup\. Replace the frame's markup/,
        ),
        fields: { id: ID },
      }),
    )
    expect(decodeRecordOrEmpty(text, ID, 'a')).toEqual({ ...NOTHING, slug: 'a', html: '' })
  })

  it('is rejected if it is damaged, with its id, the offset and what to do', () => {
    expect(() => decodeRecord(DAMAGED, ID, 'header')).toThrow(
      expect.objectContaining({
        code: 'frame_unreadable',
        message: expect.stringMatching(/frame f00d is damaged: .+ Replace the frame's markup/),
        fields: { id: ID, offset: expect.any(Number) },
      }),
    )
    expect(decodeRecordOrEmpty(DAMAGED, ID, 'header')).toEqual({
      ...NOTHING,
      slug: 'header',
      html: '',
    })
    expect(decodeRecordOrEmpty(encodeRecord(RECORD), ID, 'header')).toEqual(RECORD)
  })
})

describe('the names in a record', () => {
  it.each([
    ['an array', encodeRecord(RECORD), 'header', RECORD.updated_at_gmt],
    ['JSON', JSON.stringify(RECORD), 'header', RECORD.updated_at_gmt],
    ['an array without markup', encodePhp({ slug: 'header' }), 'header', UNKNOWN],
    ['an array without them', encodePhp({ html: 'x' }), undefined, UNKNOWN],
    ['bare markup', '<p>header</p>', undefined, UNKNOWN],
    ['a damaged array', DAMAGED, undefined, UNKNOWN],
  ])('are read from %s', (_, text, slug, updatedAt) => {
    expect(readRecordNames(text)).toEqual({ slug, updatedAt })
  })
})

it('the service decodes a valid meta', () => {
  const meta = { references: ['a'], live_reasons: [] }
  expect(decodeMeta(JSON.stringify(meta))).toEqual(meta)
})

it.each([
  '',
  'null',
  '5',
  '{ no JSON',
  '{"references":[]}',
  '{"live_reasons":[]}',
  '{"references":"a","live_reasons":[]}',
])('the service does not decode %j as a meta', (text) => {
  expect(decodeMeta(text)).toBeUndefined()
})
