import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { createDb } from '../../../src/db/database.ts'
import { createReadCache } from '../../../src/db/read-cache.ts'
import { readTerms } from '../../../src/wordpress/nav-menus/read-terms.ts'
import { type Post, readPosts } from '../../../src/wordpress/pages/posts.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { archiveUrl, homeUrl, postUrl, termUrl } from '../../../src/wordpress/permalinks/urls.ts'
import { useNetwork } from '../../support/network.ts'
import { senderOf } from '../../support/statements.ts'

const network = await useNetwork()
const site = await network.site(2)

/** Each test's changes are rolled back. */
let sql: Knex.Transaction
beforeEach(async () => {
  sql = await network.db.sql.transaction()
})
afterEach(() => sql.rollback())
const db = (cache = network.db.cache) => createDb(senderOf(sql), { ...network.db, cache })

const links = () => readLinkSettings(db(), site)

const setOptions = async (options: Record<string, string>): Promise<void> => {
  for (const [option_name, option_value] of Object.entries(options))
    await sql(site.tables.options).where({ option_name }).update({ option_value })
}

const post = async (id: number, change: Partial<Post> = {}): Promise<Post> => {
  const { languages } = await links()
  const found = (await readPosts(db(), site, languages, { ids: [id] })).get(id)
  if (!found) throw new Error(`no post ${id}`)
  return { ...found, ...change }
}

describe('the URL of a post', () => {
  it.each([
    ['/%postname%/', 'http://net.test/shop/hello-world/'],
    ['/%year%/%monthnum%/%day%/%postname%/', 'http://net.test/shop/2026/11/20/hello-world/'],
    ['/archives/%post_id%', 'http://net.test/shop/archives/1'],
    [
      '/index.php/%hour%-%minute%-%second%/%pagename%/',
      'http://net.test/shop/index.php/23-21-39/hello-world/',
    ],
    ['', 'http://net.test/shop/?p=1'],
    // Known to PHP code only: plain, from which WordPress redirects.
    ['/%category%/%postname%/', 'http://net.test/shop/?p=1'],
    ['/%author%/%postname%/', 'http://net.test/shop/?p=1'],
  ])('follows the structure "%s"', async (permalink_structure, expected) => {
    await setOptions({ permalink_structure })
    expect(postUrl(await links(), await post(1))).toBe(expected)
  })

  it('contains its language', async () => {
    expect(postUrl(await links(), await post(1, { lang: 'fr' }))).toBe(
      'http://net.test/shop/fr/hello-world/',
    )
  })

  it.each([
    ['attachment', 'http://net.test/shop/?attachment_id=1'],
    ['product', 'http://net.test/shop/?post_type=product&p=1'],
  ])('is plain for the type %s', async (type, expected) => {
    expect(postUrl(await links(), await post(1, { type, lang: 'fr' }))).toBe(expected)
  })

  it.each(['draft', 'pending', 'future', 'auto-draft', 'trash', 'private', 'archived'])(
    'is plain while it is %s',
    async (status) => {
      expect(postUrl(await links(), await post(7, { status }))).toBe(
        'http://net.test/shop/?page_id=7',
      )
    },
  )

  it('of the front page is the home, also without Polylang', async () => {
    await setOptions({ active_plugins: 'a:0:{}' })
    expect(postUrl(await links(), await post(3))).toBe('http://net.test/shop/')
    expect(postUrl(await links(), await post(4))).toBe('http://net.test/shop/accueil/')
  })

  it('of a front page without a language is the home', async () => {
    await setOptions({ page_on_front: '2' })
    const settings = await links()
    expect(postUrl(settings, await post(2))).toBe('http://net.test/shop/')
    expect(homeUrl(settings, 'fr')).toBe('http://net.test/shop/fr/')
  })

  it('is a page’s own if the front page shows posts and an old static front page is still set', async () => {
    await setOptions({ show_on_front: 'posts' })
    expect(postUrl(await links(), await post(3))).toBe('http://net.test/shop/home/')
  })
})

describe('the URL of a term', () => {
  /** A child of the category 1, in German. */
  const addChild = async (): Promise<void> => {
    const { terms, termTaxonomy, termRelationships } = site.tables
    await sql(terms).insert({ term_id: 500, name: 'Child', slug: 'child' })
    const term = { term_taxonomy_id: 600, term_id: 500, taxonomy: 'category', parent: 1 }
    await sql(termTaxonomy).insert({ ...term, description: '' })
    await sql(termRelationships).insert({ object_id: 500, term_taxonomy_id: 10 })
  }

  const urlOf = async (id: number, taxonomy = 'category'): Promise<string | undefined> => {
    const settings = await links()
    const terms = await readTerms(db(), site, settings.languages, { ids: [id] })
    const term = terms.find((found) => found.id === id)
    return term && termUrl(settings, { ...term, taxonomy })
  }

  it.each([
    ['/%postname%/', '', 'http://net.test/shop/de/category/uncategorized/child/'],
    ['/blog/%year%/%postname%', '', 'http://net.test/shop/de/blog/category/uncategorized/child'],
    ['/blog/%postname%/', '/topics', 'http://net.test/shop/de/topics/uncategorized/child/'],
    [
      '/index.php/%postname%/',
      '',
      'http://net.test/shop/index.php/de/category/uncategorized/child/',
    ],
    [
      '/index.php/%postname%/',
      'topics/',
      'http://net.test/shop/index.php/de/topics/uncategorized/child/',
    ],
    [
      '/index.php/blog/%postname%/',
      'topics',
      'http://net.test/shop/index.php/de/blog/topics/uncategorized/child/',
    ],
    ['', '', 'http://net.test/shop/?cat=500&lang=de'],
  ])(
    'follows the structure "%s" and the base "%s"',
    async (permalink_structure, base, expected) => {
      await addChild()
      await setOptions({ permalink_structure, category_base: base })
      expect(await urlOf(500)).toBe(expected)
    },
  )

  it.each([
    ['/%postname%/', 'post_tag', 'http://net.test/shop/de/tag/child/'],
    ['', 'post_tag', 'http://net.test/shop/?tag=child&lang=de'],
    ['/%postname%/', 'brand', 'http://net.test/shop/?taxonomy=brand&term=child'],
  ])('with "%s" of the taxonomy %s is %s', async (permalink_structure, taxonomy, expected) => {
    await addChild()
    await setOptions({ permalink_structure })
    expect(await urlOf(500, taxonomy)).toBe(expected)
  })

  it('contains no language if the content determines it', async () => {
    await addChild()
    await setOptions({ polylang: encodePhp({ default_lang: 'en', force_lang: 0 }) })
    expect(await urlOf(500)).toBe('http://net.test/shop/category/uncategorized/child/')
  })

  it('ends if its parents form a cycle', async () => {
    await addChild()
    await sql(site.tables.termTaxonomy).where({ term_id: 1 }).update({ parent: 500 })
    expect(await urlOf(500)).toBe('http://net.test/shop/de/category/uncategorized/child/')
  })
})

describe('the URL of an archive', () => {
  it('of posts is the home, in the language in which it is shown', async () => {
    const settings = await links()
    expect(archiveUrl(settings, 'post', null)).toBe('http://net.test/shop')
    expect(archiveUrl(settings, 'post', 'en')).toBe('http://net.test/shop')
    expect(archiveUrl(settings, 'post', 'fr')).toBe('http://net.test/shop/fr/accueil')
  })

  it('of posts is the posts page, in the language in which it is shown', async () => {
    await setOptions({ page_for_posts: '7' })
    const settings = await links()
    expect(archiveUrl(settings, 'post', null)).toBe('http://net.test/shop/about-us/')
    expect(archiveUrl(settings, 'post', 'de')).toBe('http://net.test/shop/de/uber-uns/')
    expect(archiveUrl(settings, 'post', 'ar')).toBe('http://net.test/shop/about-us/')
  })

  it('of another type is plain, with a language if the type has languages', async () => {
    expect(archiveUrl(await links(), 'product', 'fr')).toBe(
      'http://net.test/shop/?post_type=product',
    )
    await setOptions({ polylang: encodePhp({ default_lang: 'en', post_types: ['product'] }) })
    expect(archiveUrl(await links(), 'product', 'fr')).toBe(
      'http://net.test/shop/fr/?post_type=product',
    )
  })
})

describe('readLinkSettings', () => {
  it.each([
    [1, 2, 2],
    [2, 4, 3],
    [3, 2, 2],
  ])(
    'runs for site %d %d statements, and %d when it is read again',
    async (blogId, first, again) => {
      const asked = await network.site(blogId)
      let statements = 0
      sql.on('query', () => {
        statements += 1
      })
      const cache = createReadCache()
      const read = await readLinkSettings(db(cache), asked)
      expect(statements).toBe(first)
      expect(await readLinkSettings(db(cache), asked)).toEqual(read)
      expect(statements).toBe(first + again)
    },
  )
  it('reads the current static pages even if others are cached', async () => {
    const asked = await network.site(2)
    const cache = createReadCache()
    const before = await readLinkSettings(db(cache), asked)
    const [front = 0, other = 0] = [before.front.id, 7]
    const name = (id: number) =>
      sql(asked.tables.options).where({ option_name: 'page_on_front' }).update({ option_value: id })
    await name(other)
    const named = await readLinkSettings(db(cache), asked)
    await name(front)
    expect(named.front.page?.id).toBe(other)
    expect(named).toMatchObject({ posts: before.posts })
    expect(await readLinkSettings(db(cache), asked)).toEqual(before)
  })
})
