import { describe, expect, it } from 'vitest'
import { startApi } from '../support/api.ts'
import { useNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

/**
 * Tables of an old site have the character set latin1.
 * Right: what the server makes of the stored bytes for a connection with utf8mb4, as WordPress 7.1 has it (wpdb::init_charset).
 */
describe.each(['latin1', 'cp1251', 'utf8mb3'])(
  'tables with the character set %s',
  async (charset) => {
    const network = await useNetwork({ timings: { db: { tablesKnownMs: 0 } } })
    const api = await use(startApi(network))
    const { tables } = await network.site(2)
    // Titles of the test network that such a column cannot hold.
    for (const [table, column] of [
      [tables.posts, 'post_title'],
      [tables.posts, 'post_content'],
      [tables.terms, 'name'],
      [tables.options, 'option_value'],
      [tables.postmeta, 'meta_value'],
    ] as const)
      await network.db.sql.raw('DELETE FROM ?? WHERE LENGTH(??) <> CHAR_LENGTH(??)', [
        table,
        column,
        column,
      ])
    for (const table of Object.values(tables))
      await network.db.sql.raw(`ALTER TABLE ?? CONVERT TO CHARACTER SET ${charset}`, [table])
    const agent = await api.as('alice')

    it.each([
      [
        'post',
        '/frames',
        { slug: 'ascii', html: '<p>plain <!-- svc/data {"source":"site.title"} /--></p>' },
      ],
      ['post', '/frames/ascii/assign', { page: 7 }],
      ['put', '/frames/ascii', { html: '<p>more</p>' }],
      ['get', '/frames/ascii', undefined],
      ['get', '/frames', undefined],
      ['post', '/menus', { name: 'Ascii', items: ['about-us'] }],
      ['patch', '/menus/ascii', { name: 'Other' }],
      ['put', '/menus/ascii/location', { location: 'footer_1' }],
      ['post', '/menus/ascii/items', { page: 'about-us', title: 'There' }],
      ['get', '/menus', undefined],
      ['get', '/menus/~footer_1', undefined],
      ['get', '/pages?search=about', undefined],
      ['get', '/pages?search=%D0%96%F0%9F%99%82', undefined],
      ['get', '/frames?q=%D0%96', undefined],
      ['get', '/menus/main-menu/targets?search=%D0%96%F0%9F%99%82', undefined],
      ['get', '/description', undefined],
      ['get', '/history', undefined],
      ['get', '/findings', undefined],
      ['get', '/work', undefined],
      ['post', '/frames/rebake', { all: true }],
      ['post', '/preview', { page: 7, frames: [{ slug: 'ascii', html: 'x' }] }],
    ] as const)('%s %s works', async (method, path, body) => {
      const answer = await agent[method](`/site/2${path}`).send(body)
      expect(answer.status, answer.text).toBe(200)
    })

    it.each([
      ['a menu', 'post', '/menus', { name: 'Ж' }],
      ['a menu by name', 'get', '/menus/%D0%96%F0%9F%99%82', undefined],
      ['a page by address', 'post', '/frames/ascii/assign', { page: 'Ж🙂' }],
      ['a frame', 'post', '/frames', { slug: 'wide', html: '<p>Ж🙂</p>' }],
      ['an item', 'post', '/menus/ascii/items', { page: 'about-us', title: 'Ж🙂' }],
    ] as const)(
      'answers a request with characters outside the set: %s',
      async (_, method, path, body) => {
        const answer = await agent[method](`/site/2${path}`).send(body)
        expect(answer.status, answer.text).toBeLessThan(500)
      },
    )

    it('has built everything', async () => {
      const { body } = await agent.get('/site/2/work')
      expect(body).toMatchObject({ failing: { pages: 0, frames: 0 } })
    })
  },
)
