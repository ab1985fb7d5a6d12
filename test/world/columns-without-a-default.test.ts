import { afterAll, describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'

/**
 * A plugin added columns to WordPress's tables that take no NULL and have no default.
 * Right: WordPress 7.1 leaves strict mode (wpdb::set_sql_mode), so the server stores the implicit default of the type ("Data Type Default Values"
 * of the manuals of MariaDB and MySQL).
 */
describe('columns without a default', async () => {
  const { network, api } = await useApi()
  const { tables } = await network.site(2)
  const { db } = network
  const rows = async (sql: string, ...values: string[]) => (await db.sql.raw(sql, values))[0]
  const added = [
    [tables.posts, 'ranking', 'int NOT NULL', 0],
    [tables.posts, 'origin', 'varchar(20) NOT NULL', ''],
    [tables.terms, 'color', "enum('red', 'blue') NOT NULL", 'red'],
    [tables.termTaxonomy, 'weight', 'decimal(5,2) NOT NULL', '0.00'],
    [tables.termRelationships, 'since', 'datetime NOT NULL', '0000-00-00 00:00:00'],
    [tables.postmeta, 'lang', 'varchar(5) NOT NULL', ''],
    [tables.options, 'site', 'int NOT NULL', 0],
  ] as const
  for (const [table, column, type] of added)
    await db.sql.raw(`ALTER TABLE ?? ADD ?? ${type}`, [table, column])
  afterAll(async () => {
    for (const [table, column] of added) await db.sql.raw('ALTER TABLE ?? DROP ??', [table, column])
  })

  it('takes menus, items, frames and assignments, as WordPress does', async () => {
    const agent = await api.as('alice')
    const succeed = async (method: 'post' | 'put' | 'patch', path: string, sent: object) => {
      const { status, text, body } = await agent[method](`/site/2${path}`).send(sent)
      expect(status, text).toBe(200)
      return body
    }
    const { menu } = await succeed('post', '/menus', { name: 'Fresh', items: ['about-us'] })
    await succeed('post', `/menus/${menu.id}/items`, { page: 'about-us' })
    await succeed('patch', `/menus/${menu.id}`, { name: 'Fresher' })
    await succeed('put', `/menus/${menu.id}/location`, { location: 'footer_1' })
    await succeed('post', '/frames', { slug: 'hello', html: '<p>Hello</p>' })
    await succeed('post', '/frames/hello/assign', { page: 7 })
  })

  it.each(added)('stores in %s.%s what WordPress stores', async (table, column, _type, value) => {
    const stored = await rows('SELECT DISTINCT ?? AS value FROM ??', column, table)
    expect(stored).toEqual([{ value }])
  })

  it('learns of a column that is added, and of one that is removed, while it runs', async () => {
    const agent = await api.as('alice')
    const create = async (slug: string) =>
      (await agent.post('/site/2/frames').send({ slug, html: slug })).status
    await db.sql.raw('ALTER TABLE ?? ADD later int NOT NULL', [tables.options])
    expect(await create('later')).toBe(200)
    await db.sql.raw('ALTER TABLE ?? DROP later', [tables.options])
    expect(await create('again')).toBe(200)
  })
})
