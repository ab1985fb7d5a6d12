import { describe, expect, it } from 'vitest'
import {
  decodeRecord,
  decodeRecordOrEmpty,
  encodeRecord,
  inspectRecord,
  readRecordNames,
} from '../../src/frames/record.ts'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'

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
/** An array that ends before its time. */
const DAMAGED = encodeRecord(RECORD).slice(0, -9)

describe('a stored record', () => {
  it('is read as it was written', () => {
    expect(decodeRecord(encodeRecord(RECORD), ID, 'header')).toEqual(RECORD)
    expect(inspectRecord(encodeRecord(RECORD), ID, 'header')).toEqual({
      record: RECORD,
      isOfToday: true,
      ownSlug: 'header',
    })
  })

  it('bears the slug of the registry, and tells its own', () => {
    const { record, storedSlug: ownSlug } = inspectRecord(encodeRecord(RECORD), ID, 'renamed')
    expect(record).toEqual({ ...RECORD, slug: 'renamed' })
    expect(ownSlug).toBe('header')
  })

  it.each(Object.keys(RECORD))('is of an older form where it lacks %s', (field) => {
    const { [field as 'slug']: _, ...others } = RECORD
    const text = encodePhp({ markup: 'x', ...others })
    expect(inspectRecord(text, ID, 'header').isCurrentFormat).toBe(false)
  })

  it.each(['html', 'markup', 'content'])('may have its markup under %s', (key) => {
    const older = { record: { ...NOTHING, slug: 'header', html: 'x' }, isOfToday: false }
    expect(inspectRecord(encodePhp({ [key]: 'x' }), ID, 'header')).toMatchObject(older)
    expect(inspectRecord(JSON.stringify({ [key]: 'x' }), ID, 'header')).toMatchObject(older)
    expect(
      inspectRecord(JSON.stringify({ ...RECORD, [key]: 'x' }), ID, 'header').isCurrentFormat,
    ).toBe(false)
  })

  it('may have more fields than today', () => {
    const more = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`field_${index}`, '']))
    const read = inspectRecord(encodePhp({ ...RECORD, ...more }), ID, 'header')
    expect(read).toEqual({ record: RECORD, isOfToday: true, ownSlug: 'header' })
  })

  it.each([
    ` ${encodeRecord(RECORD)}`,
    '{"title":"no markup"}',
    '{"html":5}',
    '{ not JSON',
    '["html"]',
    '<p>{"html":"x"}</p>',
    'a:1 is no array',
    's:9:"short";',
  ])('may be the bare markup: %s', (text) => {
    expect(decodeRecord(text, ID, 'header')).toEqual({ ...NOTHING, slug: 'header', html: text })
  })

  it('may be bare markup that WordPress serialized because it looked serialized', () => {
    const text = encodePhp('s:3:"abc";')
    expect(decodeRecord(text, ID, 'header').html).toBe('s:3:"abc";')
  })

  it.each(['2026-01-02', '2026-01-02 03:04:05Z', 'on 2026-01-02 03:04:05', 5])(
    'has no date where there stands %s',
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
    ['another name', { slug: 'a', source: '<p>the only copy</p>' }],
    ['no text', { html: 5 }],
    ['nothing', {}],
  ])('that has its markup under %s is not taken for an empty frame', (_, fields) => {
    const text = encodePhp(fields)
    expect(() => inspectRecord(text, ID, 'a')).toThrow(
      expect.objectContaining({
        code: 'frame_unreadable',
        message: expect.stringMatching(
          /frame f00d holds no markup\. Send its markup again with PUT/,
        ),
        fields: { id: ID },
      }),
    )
    expect(decodeRecordOrEmpty(text, ID, 'a')).toEqual({ ...NOTHING, slug: 'a', html: '' })
  })

  it('that is damaged says which it is, where, and what to do', () => {
    expect(() => decodeRecord(DAMAGED, ID, 'header')).toThrow(
      expect.objectContaining({
        code: 'frame_unreadable',
        message: expect.stringMatching(/frame f00d is damaged: .+ Send its markup again with PUT/),
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
