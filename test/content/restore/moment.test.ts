import { describe, expect, it } from 'vitest'
import { parseMoment, parseTime } from '../../../src/content/restore/moment.ts'

describe('a time', () => {
  it.each([
    ['2026-03-01', '2026-03-01 00:00:00.000'],
    ['2026-03-01 09:30', '2026-03-01 09:30:00.000'],
    ['2026-03-01T09:30:05Z', '2026-03-01 09:30:05.000'],
    [' 2026-03-01 09:30:05.12 ', '2026-03-01 09:30:05.120'],
    ['2026-03-01T00:30:00+01:00', '2026-02-28 23:30:00.000'],
    ['2026-03-01T09:30:00-0230', '2026-03-01 12:00:00.000'],
  ])('as %j is %s', (text, time) => {
    expect(parseTime(text)).toBe(time)
  })

  it.each([
    'yesterday',
    '2026-3-1',
    '2026-13-01',
    '2026-03-01 25:00',
    '2026-03-01 09',
    '2026-03-01Z',
    '2026-03-01 09:30 CET',
    '2026-03-01 09:30:00.1234',
    '',
  ])('is not %j', (text) => {
    expect(parseTime(text)).toBeUndefined()
  })
})

describe('a moment', () => {
  it('of digits is an entry, and everything else a time', () => {
    expect(parseMoment('1')).toEqual({ entry: 1 })
    expect(parseMoment('999999999999999')).toEqual({ entry: 999_999_999_999_999 })
    expect(parseMoment('2026-03-01')).toEqual({ time: '2026-03-01 00:00:00.000' })
  })

  it.each(['0', '01', '-1', '1.5', '1e3', '9999999999999999', 'never'])('is not %j', (text) => {
    expect(parseMoment(text)).toBeUndefined()
  })
})
