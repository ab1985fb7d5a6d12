import { afterEach, describe, expect, it } from 'vitest'
import { PURGE_TASK } from '../../../src/content/work/purges.ts'
import {
  MAX_LISTED_FAILURES,
  readNetworkWork,
  readSiteWork,
  readWorkGauges,
} from '../../../src/content/work/work-status.ts'
import { tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import { useNetwork } from '../../support/network.ts'
import { statementsOf } from '../../support/statements.ts'
import { buildElsewhere, endElsewhere, putWork, type WorkRow } from '../../support/work-rows.ts'

const network = await useNetwork()
afterEach(async () => {
  for (const blogId of [2, 3, 99]) {
    await putWork(network, blogId, [])
    await endElsewhere(network, blogId)
  }
})

const put = (...rows: WorkRow[]) => putWork(network, 2, rows)
const read = async () => readSiteWork(network.db, await network.site(2))
const readAll = () => readNetworkWork(network.db, network.globals)
const gauges = () => readWorkGauges(network.db, network.globals)

const NONE = { pages: 0, frames: 0, purges: 0 }
const NOTHING = {
  pending: NONE,
  running: NONE,
  failing: NONE,
  oldest: null,
  due_for_s: 0,
}
const GMT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

describe('the work of a site', () => {
  it('is empty at first', async () => {
    expect(await read()).toEqual({ ...NOTHING, failures: [] })
  })

  it('counts pages and purges, and everything else as frames', async () => {
    await put(
      { name: '1' },
      { name: '2' },
      { kind: 'menus' },
      { kind: 'frame', name: 'f1' },
      { kind: 'purge' },
    )
    await putWork(network, 3, [{ name: '3' }])
    expect(await read()).toMatchObject({
      pending: { pages: 2, frames: 2, purges: 1 },
      running: NONE,
    })
  })

  it('counts a purge once that several page caches refuse, with the failures of the worst', async () => {
    await put({ kind: 'purge' })
    const tasks = network.db.sql(tasksTable(network.globals))
    const failed = { due_at: '2030-01-01', owner: null }
    await tasks.insert([
      { ...failed, name: `${PURGE_TASK}one`, tries: 2, error: 'It is away.' },
      { ...failed, name: `${PURGE_TASK}two`, tries: 5, error: 'It refuses.' },
    ])
    const { pending, failing, failures } = await read()
    expect([pending.purges, failing.purges]).toEqual([1, 1])
    expect(failures).toMatchObject([{ kind: 'purge', tries: 5, error: 'It refuses.' }])
    await network.db.sql(tasksTable(network.globals)).where({ owner: null }).delete()
  })

  it('counts what is due as running while a process builds the site', async () => {
    await put({ name: '1', due: -1 }, { name: '3', due: 3 }, { kind: 'frame', name: 'f1', due: -1 })
    expect((await read()).running).toEqual(NONE)
    await buildElsewhere(network, 2)
    expect((await read()).running).toEqual({ pages: 1, frames: 1, purges: 0 })
    await buildElsewhere(network, 2, -1)
    expect((await read()).running).toEqual(NONE)
  })

  it('reports when the oldest row was touched, and its age by the clock of the database', async () => {
    await put({ name: '1', since: -7200 }, { name: '2', since: -5 })
    const { oldest } = await read()
    expect(oldest?.since).toMatch(GMT)
    expect(oldest?.age_s).toBeGreaterThanOrEqual(7200)
    expect(oldest?.age_s).toBeLessThan(7300)
    const [[{ now }]] = await network.db.sql.raw('SELECT NOW() AS now')
    const hours = (Date.parse(`${now}Z`) - Date.parse(`${oldest?.since}Z`)) / 3_600_000
    expect(hours).toBeCloseTo(2, 1)
  })

  it('reports no negative age if the clock was set back', async () => {
    await put({ name: '1', since: 3600, due: 3600, tries: 1 })
    expect(await read()).toMatchObject({
      oldest: { age_s: 0 },
      due_for_s: 0,
      failures: [{ next_try_in_s: 0 }],
    })
    expect((await gauges()).oldestSeconds).toBe(0)
  })

  it('reports for how long a row has been due, which is later than when it was touched after a failure', async () => {
    const farPast = -1_000_000_000
    await put({ name: '1', since: -90, due: farPast })
    expect((await read()).due_for_s).toBeGreaterThanOrEqual(90)
    await put({ name: '1', since: -9000, due: -5, tries: 3 }, { name: '2', due: 30 })
    const { due_for_s } = await read()
    expect(due_for_s).toBeGreaterThanOrEqual(5)
    expect(due_for_s).toBeLessThan(100)
  })

  it('counts a row whose time is more than ten minutes ahead as due', async () => {
    await put({ name: '1', since: -90, due: 700 })
    const { running, due_for_s } = await read()
    expect(running).toEqual(NONE)
    expect(due_for_s).toBeGreaterThanOrEqual(90)
  })

  it('lists what is failing, first what has failed longest', async () => {
    await put(
      { name: '1', since: -10, tries: 1, due: 60, code: 'outage', error: 'The disk is full.' },
      { kind: 'frame', name: 'f1', since: -50, tries: 9, due: -1 },
      { name: '2' },
    )
    const { failing, failures } = await read()
    expect(failing).toEqual({ pages: 1, frames: 1, purges: 0 })
    expect(failures).toEqual([
      {
        kind: 'frame',
        name: 'f1',
        tries: 9,
        error: null,
        code: null,
        since: expect.stringMatching(GMT),
        next_try_in_s: 0,
      },
      {
        kind: 'page',
        name: '1',
        tries: 1,
        error: 'The disk is full.',
        code: 'outage',
        since: expect.stringMatching(GMT),
        next_try_in_s: expect.any(Number),
      },
    ])
    expect(failures[1]?.next_try_in_s).toBeGreaterThan(50)
  })

  it('lists a limited number of failures', async () => {
    const count = MAX_LISTED_FAILURES + 1
    await put(...Array.from({ length: count }, (_, index) => ({ name: `${index}`, tries: 1 })))
    const { failing, failures } = await read()
    expect([failing.pages, failures.length]).toEqual([count, MAX_LISTED_FAILURES])
  })
})

describe('the work of the network', () => {
  it('is empty at first, and needs one statement', async () => {
    const statements = await statementsOf(network.db, async () => {
      expect(await readAll()).toEqual({ total: NOTHING, siteCount: 0, sites: [], failures: [] })
    })
    expect(statements).toHaveLength(1)
  })

  it('lists the sites that have waited longest first, and adds them up', async () => {
    await put({ name: '1', since: -10 }, { kind: 'all', since: -20 })
    await putWork(network, 3, [{ name: '1', since: -500, tries: 2, error: 'It failed.' }])
    await putWork(network, 99, [{ name: '1', due: -1, since: -5 }])
    await buildElsewhere(network, 99)
    const statements = await statementsOf(network.db, async () => {
      const { total, siteCount, sites, failures } = await readAll()
      expect(total).toMatchObject({
        pending: { pages: 3, frames: 1, purges: 0 },
        running: { pages: 1, frames: 0, purges: 0 },
        failing: { pages: 1, frames: 0, purges: 0 },
      })
      expect(total.oldest?.age_s).toBeGreaterThanOrEqual(500)
      expect(siteCount).toBe(3)
      expect(sites).toMatchObject([
        { blogId: 3, domain: 'net.test', path: '/docs/', failing: { pages: 1 } },
        {
          blogId: 2,
          domain: 'net.test',
          path: '/shop/',
          pending: { pages: 1, frames: 1, purges: 0 },
        },
        { blogId: 99, domain: null, path: null, running: { pages: 1 } },
      ])
      expect(failures).toMatchObject([{ blogId: 3, kind: 'page', error: 'It failed.' }])
    })
    expect(statements).toHaveLength(3)
  })
})

describe('the figures of the metrics', () => {
  it('count rows of all sites in one statement', async () => {
    await put({ name: '1', since: -300 }, { kind: 'menus', tries: 1 }, { kind: 'purge', name: '1' })
    await putWork(network, 3, [{ name: '1' }, { kind: 'purge', tries: 1 }])
    const statements = await statementsOf(network.db, async () => {
      const { oldestSeconds, ...counts } = await gauges()
      expect(counts).toEqual({
        pending: 3,
        failing: 1,
        pendingPurges: 2,
        // All page caches have to send the other one, too.
        failingPurges: 2,
        exposed: 0,
      })
      expect(oldestSeconds).toBeGreaterThanOrEqual(300)
    })
    expect(statements).toHaveLength(1)
  })
})
