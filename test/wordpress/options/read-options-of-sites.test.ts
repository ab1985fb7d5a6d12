import { describe, expect, it } from 'vitest'
import { listSites } from '../../../src/wordpress/network/find-sites.ts'
import { SITES_PER_STATEMENT } from '../../../src/wordpress/network/select-from-sites.ts'
import { type Site, siteOf } from '../../../src/wordpress/network/site.ts'
import { readOptionsOfSites } from '../../../src/wordpress/options/read-options-of-sites.ts'
import { setOption, useNetwork } from '../../support/network.ts'
import { statementsOf } from '../../support/statements.ts'

const network = await useNetwork()
const sites = await listSites(network.db, network.globals)

const read = (...wanted: Parameters<typeof readOptionsOfSites>[2]) =>
  readOptionsOfSites(network.db, sites, wanted)

/** A site without tables. */
const missing = (blogId: number): Site =>
  siteOf(network.globals, {
    blog_id: blogId,
    site_id: 1,
    domain: 'net.test',
    path: '/',
    archived: 0,
    spam: 0,
    deleted: 0,
  })

describe('readOptionsOfSites', () => {
  it('gives the exact texts of each site, in one statement', async () => {
    const text = '  a:1:{i:0;s:2:"\u00e9";}\r\n\\ ?? :x: 100%\t'
    await setOption(network, 2, 'test_text', text)
    await setOption(network, 4, 'test_text', '')
    const statements = await statementsOf(network.db, async () => {
      const options = await read('home', 'test_text')
      expect([...options.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7])
      expect(options.get(2)?.get('test_text')).toBe(text)
      expect(options.get(3)?.has('test_text')).toBe(false)
      expect(options.get(4)).toEqual(
        new Map([
          ['home', 'http://brand.test'],
          ['test_text', ''],
        ]),
      )
    })
    expect(statements).toHaveLength(1)
  })

  it('leaves out texts that contain none of some texts', async () => {
    await setOption(network, 1, 'test_chosen', 'a_b')
    await setOption(network, 2, 'test_chosen', 'axb')
    await setOption(network, 3, 'test_chosen', '100%')
    const options = await read({ name: 'test_chosen', containing: ['a_b', '0%'] })
    const found = [...options].filter(([, texts]) => texts.size > 0).map(([blogId]) => blogId)
    expect(found).toEqual([1, 3])
  })

  it('reads tables with different character sets and collations', async () => {
    const alter = async (blogId: number, charset: string, collation: string) => {
      const { options } = (await network.site(blogId)).tables
      await network.db.sql.raw(
        `ALTER TABLE ?? CONVERT TO CHARACTER SET ${charset} COLLATE ${collation}`,
        [options],
      )
    }
    await setOption(network, 3, 'test_letters', '\u00e9')
    await alter(2, 'utf8mb4', 'utf8mb4_general_ci')
    await alter(3, 'latin1', 'latin1_swedish_ci')
    await alter(4, 'utf8mb4', 'utf8mb4_bin')
    await setOption(network, 4, 'test_letters', '\u00e9\u{1f600}')
    const options = await read('home', 'test_letters')
    expect([3, 4].map((blogId) => options.get(blogId)?.get('test_letters'))).toEqual([
      '\u00e9',
      '\u00e9\u{1f600}',
    ])
    expect([...options.values()].every((texts) => texts.has('home'))).toBe(true)
  })

  it('leaves out sites without tables, with few more statements', async () => {
    const many = Array.from({ length: SITES_PER_STATEMENT - sites.length }, () => sites).flat()
    const batch = [...many.slice(0, SITES_PER_STATEMENT - 1), missing(90)]
    const statements = await statementsOf(network.db, async () => {
      const options = await readOptionsOfSites(network.db, batch, ['home'])
      expect([...options.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
    })
    expect(statements.length).toBeLessThan(20)
    expect(await readOptionsOfSites(network.db, [missing(90)], ['home'])).toEqual(new Map())
    expect(await readOptionsOfSites(network.db, [], ['home'])).toEqual(new Map())
  })
})
