import { afterEach, describe, expect, it } from 'vitest'
import { workTable } from '../../../../src/content/work/work-tables.ts'
import type { Finding } from '../../../../src/network/doctor/finding.ts'
import { buildElsewhere, endElsewhere, putWork, type WorkRow } from '../../../support/work-rows.ts'
import { lineOf, useDoctorFixture } from '../doctor-fixture.ts'

const shop = await useDoctorFixture()
afterEach(() => putWork(shop.network, 2, []))

const put = (...rows: WorkRow[]) => putWork(shop.network, 2, rows)
const examine = () => shop.found('work_failing', 'work_stuck')

/** The time of a new row: it may be claimed at once. */
const FAR_PAST = -1_000_000_000

describe('the work of a site', () => {
  it('has no problems while it is recent or running', async () => {
    expect(await examine()).toEqual([])
    await put({ name: '1', since: -20, due: FAR_PAST })
    expect(await examine()).toEqual([])
    await put({ name: '1', since: -500, due: FAR_PAST }, { name: '2', since: -500, due: -3 })
    await buildElsewhere(shop.network, 2)
    expect(await examine()).toEqual([])
    await endElsewhere(shop.network, 2)
  })

  it('is reported if nobody does it', async () => {
    await put({ name: '1', since: -500, due: FAR_PAST }, { kind: 'menus', since: -70 })
    const [finding, ...others] = await shop.examine('work_stuck')
    expect(others).toEqual([])
    expect(lineOf(finding as Finding)).toMatch(
      /^error work_stuck: The work of the site \(1 page and 1 frame, since \d{4}-.* GMT\) is due for 5\d\d seconds, and nothing of the site is running\.$/,
    )
    expect(finding).toMatchObject({
      site: 2,
      fixHint: expect.stringContaining('wp-frames serve executor'),
    })
  })

  it('is not reported as stuck before a failure is due again', async () => {
    await put({ name: '1', since: -5000, due: 100, tries: 8, error: 'It failed.' })
    expect(await examine()).toEqual([expect.stringMatching(/ work_failing: /)])
  })

  it('is reported with the reasons for which it fails, once for each reason', async () => {
    await put(
      { name: '10', since: -900, tries: 3, error: 'The disk is full.' },
      { name: '11', since: -800, tries: 2, error: 'The disk is full.' },
      { kind: 'frame', name: '5158798bd2006010', since: -700, tries: 1, error: 'It is damaged.' },
    )
    expect(await examine()).toEqual([
      expect.stringMatching(
        /^warning work_failing: The build of page 10, page 11 has failed since \d{4}-.* GMT: The disk is full\.$/,
      ),
      expect.stringMatching(
        /^warning work_failing: The build of frame 5158798bd2006010 has failed since .* GMT: It is damaged\.$/,
      ),
    ])
  })

  it('is reported with the number of the failures that are not listed', async () => {
    await put(...Array.from({ length: 103 }, (_, index) => ({ name: `${index}`, tries: 1 })))
    expect((await examine()).at(-1)).toMatch(': The build of 3 more pages and frames has failed.')
  })

  it('is not examined without its table, which has a finding of its own', async () => {
    const names = [workTable(shop.network.globals), 'away']
    await shop.network.db.sql.raw('RENAME TABLE ?? TO ??', names)
    expect(await examine()).toEqual([])
    await shop.network.db.sql.raw('RENAME TABLE ?? TO ??', names.toReversed())
  })

  it('is not the purge of pages from page caches, which has a finding of its own', async () => {
    const error = 'Fastly responded with 401 to a purge. Check the service.'
    await put(
      { kind: 'purge', name: '7', since: -900, tries: 3, error },
      { kind: 'purge', since: -800, tries: 1, error },
    )
    expect(await examine()).toEqual([])
    expect(await shop.found('purge_failing')).toEqual([
      expect.stringMatching(
        /^warning purge_failing: Page caches have not purged page 7, all pages, since \d{4}-.* GMT: Fastly responded with 401/,
      ),
    ])
  })
})
