import { expect, it } from 'vitest'
import { currentTime, readTimeSettings } from '../../src/wordpress/dates.ts'
import { useNetwork } from '../support/network.ts'

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
