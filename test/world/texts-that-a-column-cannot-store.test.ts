import { afterAll, describe, expect, it } from 'vitest'
import { startApi } from '../support/api.ts'
import { useNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

/**
 * Columns of WordPress are shorter than WordPress makes them, have a narrow character set, or a constraint.
 * Right: WordPress 7.1 refuses a text that its column cannot store (wpdb::process_fields, `db_insert_error`), and the caller learns which field it is.
 */
describe('texts that a column cannot store', async () => {
  const network = await useNetwork({ timings: { db: { tablesKnownMs: 0 } } })
  const api = await use(startApi(network))
  const { tables } = await network.site(2)
  const agent = await api.as('alice')
  const alter = (table: string, change: string) =>
    network.db.sql.raw(`ALTER TABLE ?? ${change}`, [table])
  await network.db
    .sql(tables.posts)
    .whereRaw('LENGTH(post_excerpt) <> CHAR_LENGTH(post_excerpt)')
    .delete()
  await alter(tables.posts, 'MODIFY post_title varchar(100) NOT NULL')
  await alter(tables.posts, 'MODIFY post_excerpt text CHARACTER SET latin1 NOT NULL')
  await alter(tables.terms, "MODIFY name varchar(60) NOT NULL DEFAULT ''")
  await agent.post('/site/2/menus').send({ name: 'Short', items: ['about-us'] })

  it.each([
    [
      'title',
      'post',
      '/menus/short/items',
      { page: 'about-us', title: 'x'.repeat(150) },
      '100 characters',
    ],
    [
      'title',
      'put',
      '/menus/short/items',
      { items: [{ url: '/x', title: 'ä'.repeat(101) }] },
      '100 characters',
    ],
    ['attr_title', 'post', '/menus/short/items', { page: 'about-us', attr_title: 'Ж' }, 'latin1'],
    ['name', 'post', '/menus', { name: 'n'.repeat(61) }, '60 characters'],
    ['name', 'patch', '/menus/short', { name: 'n'.repeat(61) }, '60 characters'],
  ] as const)('a %s is refused by its name: %s %s', async (field, method, path, sent, rule) => {
    const { status, body } = await agent[method](`/site/2${path}`).send(sent)
    expect([status, body.code], JSON.stringify(body)).toEqual([400, 'rest_invalid_param'])
    expect(body.data.params[field]).toContain(rule)
    expect((await agent.get('/site/2/menus/short')).body.items).toHaveLength(1)
  })

  it('stores what fits', async () => {
    const title = 'x'.repeat(100)
    const { status, text } = await agent
      .post('/site/2/menus/short/items')
      .send({ page: 'about-us', title, attr_title: 'Grüße' })
    expect(status, text).toBe(200)
  })

  describe('in other columns', () => {
    afterAll(() => alter(tables.options, 'MODIFY option_value longtext NOT NULL'))

    it('are refused with table and column', async () => {
      await network.db.sql(tables.options).whereRaw('LENGTH(option_value) > 60000').delete()
      await alter(tables.options, 'MODIFY option_value text NOT NULL')
      const { status, body } = await agent
        .post('/site/2/frames')
        .send({ slug: 'long', html: 'x'.repeat(80_000) })
      expect([status, body.error], JSON.stringify(body)).toEqual([409, 'table_unsupported'])
      expect(body).toMatchObject({ table: tables.options, columns: ['option_value'] })
      expect(body.message).toContain('65535 bytes')
    })
  })

  it('are not looked for in a column that is missing, and the answer names it', async () => {
    await alter(tables.posts, 'CHANGE menu_order other int NOT NULL DEFAULT 0')
    const requests = [
      agent.get('/site/2/menus/short'),
      agent.post('/site/2/menus').send({ name: 'New', items: ['about-us'] }),
    ]
    for (const request of requests) {
      const { status, body } = await request
      expect([status, body.error], JSON.stringify(body)).toEqual([409, 'table_unsupported'])
      expect(body).toMatchObject({ columns: ['menu_order'] })
    }
    await alter(tables.posts, 'CHANGE other menu_order int NOT NULL DEFAULT 0')
  })

  it('are refused by a constraint that WordPress does not have, with its reason', async () => {
    await alter(tables.posts, "ADD CONSTRAINT no_items CHECK (post_title <> 'forbidden')")
    const { status, body } = await agent
      .post('/site/2/menus/short/items')
      .send({ page: 'about-us', title: 'forbidden' })
    expect([status, body.error], JSON.stringify(body)).toEqual([409, 'table_unsupported'])
    expect(body.message).toContain('no_items')
  })
})
