import { describe, expect, it } from 'vitest'
import { currentTime, readTimeSettings } from '../../src/wordpress/dates.ts'
import { useNetwork } from '../support/network.ts'

const at = (instant: string) => () => new Date(instant)

describe('currentTime', () => {
  it.each([
    ['Europe/Paris', 0, '2026-01-15T23:30:00Z', '2026-01-16 00:30:00'],
    ['Europe/Paris', 0, '2026-07-15T22:30:00Z', '2026-07-16 00:30:00'],
    // The hour that occurs twice when daylight saving time ends.
    ['Europe/Paris', 0, '2026-10-25T00:30:00Z', '2026-10-25 02:30:00'],
    ['Europe/Paris', 0, '2026-10-25T01:30:00Z', '2026-10-25 02:30:00'],
    ['Asia/Kathmandu', 0, '2026-01-15T18:20:05Z', '2026-01-16 00:05:05'],
    // A name takes precedence over an offset.
    ['America/New_York', 5, '2026-01-01T04:59:59Z', '2025-12-31 23:59:59'],
    ['UTC', 3, '2026-01-01T00:00:00Z', '2026-01-01 00:00:00'],
    ['', 0, '2026-01-01T00:00:00Z', '2026-01-01 00:00:00'],
    ['', 5.75, '2026-01-01T00:00:00Z', '2026-01-01 05:45:00'],
    ['', -3.5, '2026-01-01T00:00:00Z', '2025-12-31 20:30:00'],
    ['', 14, '2026-12-31T23:59:59Z', '2027-01-01 13:59:59'],
    // An unknown zone.
    ['Mars/Olympus', 2, '2026-01-01T00:00:00Z', '2026-01-01 02:00:00'],
  ])('converts for %s %d the time %s to %s', (timezone, gmtOffset, instant, local) => {
    expect(currentTime({ timezone, gmtOffset }, at(instant)).local).toBe(local)
  })

  it('also returns GMT, without fractions of a second', () => {
    const { gmt } = currentTime(
      { timezone: 'Europe/Paris', gmtOffset: 0 },
      at('2026-07-15T22:30:00.999Z'),
    )
    expect(gmt).toBe('2026-07-15 22:30:00')
  })
})

const network = await useNetwork()
const site = await network.site(2)

it.each([
  ['', '0', '2026-06-01 12:00:00'],
  ['', '5.5', '2026-06-01 17:30:00'],
  ['', '', '2026-06-01 12:00:00'],
  ['Europe/Berlin', '', '2026-06-01 14:00:00'],
])(
  'readTimeSettings reads the zone "%s" and the offset "%s"',
  async (timezone_string, gmt_offset, local) => {
    for (const [option_name, option_value] of Object.entries({ timezone_string, gmt_offset }))
      await network.db.sql(site.tables.options).where({ option_name }).update({ option_value })
    const settings = await readTimeSettings(network.db, site)
    expect(currentTime(settings, () => new Date('2026-06-01T12:00:00Z')).local).toBe(local)
  },
)
