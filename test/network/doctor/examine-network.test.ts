import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/database.ts'
import { type ExamineNetworkOptions, examineNetwork } from '../../../src/network/doctor/examine.ts'
import { statementsOf } from '../../support/statements.ts'
import { useDoctorFixture } from './doctor-fixture.ts'

const shop = await useDoctorFixture()

const raw = (statement: string, ...names: readonly string[]) =>
  shop.network.db.sql.raw(statement, names)

/** Makes each site have a finding of its own while `work` runs: menus with a wrong count. */
async function withWrongCounts<T>(work: () => Promise<T>): Promise<T> {
  const tables = await Promise.all(
    [1, 2, 3, 4].map(async (blogId) => (await shop.network.site(blogId)).tables.termTaxonomy),
  )
  for (const table of tables) {
    await raw('CREATE TABLE ?? LIKE ??', `${table}_away`, table)
    await raw('INSERT INTO ?? SELECT * FROM ??', `${table}_away`, table)
    await raw("UPDATE ?? SET count = count + 1 WHERE taxonomy = 'nav_menu'", table)
  }
  try {
    return await work()
  } finally {
    for (const table of tables) {
      await raw('DROP TABLE ??', table)
      await raw('RENAME TABLE ?? TO ??', `${table}_away`, table)
    }
  }
}

const examine = async (options: ExamineNetworkOptions = {}, db: Database = shop.network.db) =>
  (await examineNetwork({ ...shop.services, db }, options)).filter(
    ({ check }) => check !== 'charset_narrow',
  )

/** The database, with the number of snapshots that were open at the same time. */
function countSnapshots(): { readonly db: Database; readonly most: () => number } {
  let open = 0
  let most = 0
  const { db } = shop.network
  const snapshot: Database['snapshot'] = (work) =>
    db.snapshot(async (reads) => {
      open += 1
      most = Math.max(most, open)
      return work(reads).finally(() => {
        open -= 1
      })
    })
  return { db: { ...db, snapshot }, most: () => most }
}

describe('examineNetwork', () => {
  it('examines several sites at the same time, and reports them in their order', () =>
    withWrongCounts(async () => {
      const { db, most } = countSnapshots()
      const begun: number[] = []
      let ended = 0
      const onSite: ExamineNetworkOptions['onSite'] = ({ blogId }) => {
        begun.push(blogId)
        return () => {
          ended += 1
        }
      }
      const expected = await examine()
      const sites = expected.map(({ site }) => site)
      expect(sites).toEqual([...sites].sort())
      expect(new Set(sites).size).toBeGreaterThan(2)
      const found = await examine({ sitesAtOnce: 4, onSite }, db)
      expect(found.map(({ site, message }) => [site, message])).toEqual(
        expected.map(({ site, message }) => [site, message]),
      )
      expect([begun, ended]).toEqual([[1, 2, 3, 4, 5, 6, 7], 7])
      expect(most()).toBeGreaterThan(1)
      expect(most()).toBeLessThanOrEqual(4)
    }))

  it('reports a site whose checks fail, and checks the others', () =>
    withWrongCounts(async () => {
      const { terms } = (await shop.network.site(2)).tables
      await raw('ALTER TABLE ?? CHANGE COLUMN name lost varchar(200)', terms)
      const found = await examine({ sitesAtOnce: 4 })
      await raw("ALTER TABLE ?? CHANGE COLUMN lost name varchar(200) NOT NULL DEFAULT ''", terms)
      const ofShop = found.filter(({ site }) => site === 2)
      expect(ofShop.map(({ check }) => check)).toContain('column_missing')
      expect(ofShop.at(-1)).toMatchObject({
        check: 'check_failed',
        severity: 'error',
        message: expect.stringMatching(
          /ended with an error: Unknown column .*\(ER_BAD_FIELD_ERROR\)\.$/,
        ),
      })
      expect(found.map(({ site }) => site)).toContain(3)
    }))

  it('reports a check that fails, of the network and of each site, beside what the others find', () =>
    withWrongCounts(async () => {
      const webhooks = `${shop.network.globals.basePrefix}svc_webhooks`
      await raw('ALTER TABLE ?? CHANGE COLUMN tries lost int NOT NULL DEFAULT 0', webhooks)
      const found = await examine()
      await raw('ALTER TABLE ?? CHANGE COLUMN lost tries int unsigned NOT NULL DEFAULT 0', webhooks)
      const sitesOf = (code: string) =>
        found.filter(({ check }) => check === code).map(({ site }) => site)
      expect(sitesOf('check_failed')).toEqual([null, 1, 2, 3, 4, 5, 7])
      expect(new Set(sitesOf('menu_count_wrong'))).toEqual(new Set([1, 2, 3, 4]))
    }))

  it('ends with the error if the database becomes unavailable', async () => {
    const lost = Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' })
    const db: Database = { ...shop.network.db, snapshot: () => Promise.reject(lost) }
    await expect(examine({ sitesAtOnce: 4 }, db)).rejects.toBe(lost)
  })

  it('begins no further site after an abort', async () => {
    const stop = new AbortController()
    const begun: number[] = []
    const onSite: ExamineNetworkOptions['onSite'] = ({ blogId }) => {
      begun.push(blogId)
      if (blogId === 2) stop.abort()
      return () => {}
    }
    expect(await examine({ signal: stop.signal, onSite })).not.toContain(undefined)
    expect(begun).toEqual([1, 2])
  })
})

it('a user with all rights is tested with few statements', async () => {
  const { db } = shop.network
  const statements = await statementsOf(db, shop.examineOnPool)
  const tests = statements.filter((sql) => sql.includes('WHERE FALSE'))
  expect(tests).toHaveLength(4)
})
