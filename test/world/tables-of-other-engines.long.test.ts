import { expect, it } from 'vitest'
import { copyNetwork } from '../../packages/migration/src/commands/compare/writes/copy-tables.ts'
import { emptyDatabase } from '../support/database.ts'
import { useNetwork } from '../support/network.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { use } from '../support/use.ts'

/**
 * A plugin has a table whose rows are in another one: MRG_MyISAM, as FEDERATED, SPIDER and CONNECT have too.
 * Right: a comparison of writes works on copies, so no row of the network changes (manual of MySQL, "The MERGE Storage Engine": an insert goes to the
 * table that INSERT_METHOD names).
 */
it('does not copy a table that leads to the rows of another one, and says so', async () => {
  const network = await useNetwork()
  const open = async () => {
    const { url } = await use(emptyDatabase())
    return use(openTestDatabase({ url, poolSize: 4 }))
  }
  const databases = {
    source: network.db,
    old: await open(),
    ours: await open(),
    close: async () => {},
  }
  const { db, globals } = network
  const [live, merged] = [`${globals.basePrefix}2_log_live`, `${globals.basePrefix}2_log`]
  const [[{ name }]] = await db.sql.raw('SELECT DATABASE() AS name')
  await db.sql.raw('CREATE TABLE ?? (id int, note varchar(20)) ENGINE=MyISAM', [live])
  await db.sql.raw(
    'CREATE TABLE ?? (id int, note varchar(20)) ENGINE=MRG_MyISAM UNION=(??.??) INSERT_METHOD=LAST',
    [merged, name, live],
  )
  await db.sql(live).insert([{ id: 1 }, { id: 2 }])
  try {
    const progress = { expect: () => {}, tick: () => {} }
    const leftOut = await copyNetwork(databases, globals, [2], progress)
    expect(leftOut).toEqual([{ name: merged, engine: expect.stringMatching(/^MRG_MyISAM$/i) }])
    expect(await db.sql(live)).toHaveLength(2)
    expect(await databases.ours.sql(live)).toHaveLength(2)
    await expect(databases.ours.sql(merged)).rejects.toThrow("doesn't exist")
  } finally {
    await db.sql.raw('DROP TABLE ??, ??', [merged, live])
  }
})
