import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordOption } from '../../src/frames/option-names.ts'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'
import { type EditedSite, FRAMES, startEditedSite, translationGroup } from './edited-site.ts'

let shop: EditedSite
let pages: number[]
let items: number[]
let frames: string[]
beforeAll(async () => {
  shop = await startEditedSite(2)
  const { sql } = shop.front.network.db
  const { posts, options } = shop.site.tables
  const ofType = (post_type: string) => sql(posts).where({ post_type }).orderBy('ID').pluck('ID')
  pages = await ofType('page')
  items = await ofType('nav_menu_item')
  const names: string[] = await sql(options)
    .whereRaw("option_name REGEXP '^svc_frame_[0-9a-f]{16}$'")
    .pluck('option_name')
  frames = names.map((name) => name.slice(recordOption('').length))
})
afterAll(() => shop.front.stop())

const nth = fc.nat(1000)
const text = fc.constantFrom('One', 'Two', 'Three & <Four>', '')
const slug = fc.constantFrom('one', 'two', 'three', 'about-us', 'team')
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** Edits as WordPress, plugins and scripts make them. Each gives its rows by position, so that a failing example shrinks. */
const edit = fc.oneof(
  fc.tuple(fc.constant('title' as const), nth, text),
  fc.tuple(fc.constant('content' as const), nth, text),
  fc.tuple(fc.constant('slug' as const), nth, slug),
  fc.tuple(fc.constant('parent' as const), nth, nth),
  fc.tuple(
    fc.constant('status' as const),
    nth,
    fc.constantFrom('publish', 'publish', 'draft', 'private', 'trash'),
  ),
  fc.tuple(fc.constant('password' as const), nth, fc.constantFrom('', '', 'secret')),
  fc.tuple(fc.constant('type' as const), nth, fc.constantFrom('page', 'page', 'post')),
  fc.tuple(fc.constant('delete' as const), nth, nth),
  fc.tuple(fc.constant('insert' as const), nth, slug),
  fc.tuple(fc.constant('bind' as const), nth, nth),
  fc.tuple(fc.constant('unbind' as const), nth, nth),
  fc.tuple(fc.constant('item' as const), nth, text),
  fc.tuple(fc.constant('item order' as const), nth, fc.nat(9)),
  fc.tuple(fc.constant('item meta' as const), nth, fc.constantFrom('_blank', '')),
  fc.tuple(fc.constant('item object' as const), nth, nth),
  fc.tuple(fc.constant('language of page' as const), nth, nth),
  fc.tuple(fc.constant('translations' as const), nth, nth),
  fc.tuple(fc.constant('language name' as const), nth, text),
  fc.tuple(fc.constant('menu slug' as const), nth, slug),
  fc.tuple(fc.constant('search and replace' as const), nth, text),
  fc.tuple(
    fc.constant('option' as const),
    fc.constantFrom('blogname', 'date_format', 'blogdescription'),
    fc.constantFrom('A', 'B', 'C'),
  ),
  fc.tuple(
    fc.constant('option' as const),
    fc.constant('svc_data_news'),
    fc.constantFrom('["A"]', '["B"]'),
  ),
  fc.tuple(
    fc.constant('option' as const),
    fc.constant('show_on_front'),
    fc.constantFrom('page', 'posts'),
  ),
  fc.tuple(
    fc.constant('option' as const),
    fc.constant('permalink_structure'),
    fc.constantFrom('/%postname%/', '/x/%postname%', '/%postname%/', '/%postname%'),
  ),
  fc.tuple(fc.constant('front page' as const), nth, nth),
  fc.tuple(
    fc.constant('frame' as const),
    nth,
    fc.constantFrom(...Object.values(FRAMES), '<p>PHP</p>'),
  ),
  fc.tuple(fc.constant('plugins' as const), nth, fc.boolean()),
  fc.tuple(fc.constant('archived' as const), nth, fc.boolean()),
)

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

async function make([kind, first, value]: Edit): Promise<void> {
  const { network } = shop.front
  const { sql } = network.db
  const { posts, postmeta, options, terms, termTaxonomy, termRelationships } = shop.site.tables
  const page = at(pages, Number(first))
  const update = (ID: number, columns: object) => sql(posts).where({ ID }).update(columns)
  const option = async (option_name: string, option_value: string) => {
    await sql(options).insert({ option_name, option_value, autoload: 'off' }).onConflict().merge()
  }
  const termsOf = (taxonomy: string): Promise<{ term_id: number; term_taxonomy_id: number }[]> =>
    sql(termTaxonomy).where({ taxonomy }).orderBy('term_id')
  switch (kind) {
    case 'title':
      await update(page, { post_title: value, post_modified: '2031-01-01 00:00:00' })
      return
    case 'content':
      await update(page, { post_content: `<p>${value}</p>` })
      return
    case 'slug':
      await update(page, { post_name: value })
      return
    case 'parent':
      await update(page, { post_parent: value % 3 === 0 ? 0 : at(pages, value) })
      return
    case 'status':
      await update(page, { post_status: value })
      return
    case 'password':
      await update(page, { post_password: value })
      return
    case 'type': {
      // A group of translations has posts of one type.
      const groups = await sql(termTaxonomy).whereRaw('description REGEXP ?', [`i:${page};`])
      if (groups.length === 0) await update(page, { post_type: value })
      return
    }
    case 'delete':
      await sql(posts).where({ ID: page }).delete()
      return
    case 'insert': {
      const [ID] = await sql(posts).insert({ ...NEW_PAGE, post_title: value, post_name: value })
      pages.push(Number(ID))
      await sql(postmeta).insert({
        post_id: ID,
        meta_key: '_svc_frame',
        meta_value: at(frames, first),
      })
      return
    }
    case 'bind':
      await sql(postmeta).where({ post_id: page, meta_key: '_svc_frame' }).delete()
      await sql(postmeta).insert({
        post_id: page,
        meta_key: '_svc_frame',
        meta_value: at(frames, value),
      })
      return
    case 'unbind':
      await sql(postmeta).where({ post_id: page, meta_key: '_svc_frame' }).delete()
      return
    case 'item':
      await update(at(items, first), { post_title: value })
      return
    case 'item order':
      await update(at(items, first), { menu_order: value })
      return
    case 'item meta':
      await sql(postmeta)
        .where({ post_id: at(items, first), meta_key: '_menu_item_target' })
        .update({ meta_value: value })
      return
    case 'item object':
      await sql(postmeta)
        .where({ post_id: at(items, first), meta_key: '_menu_item_object_id' })
        .update({ meta_value: String(at(pages, value)) })
      return
    case 'language of page': {
      const languages = await termsOf('language')
      const ids = languages.map(({ term_taxonomy_id }) => term_taxonomy_id)
      await sql(termRelationships)
        .where({ object_id: page })
        .whereIn('term_taxonomy_id', ids)
        .delete()
      await sql(termRelationships).insert({ object_id: page, term_taxonomy_id: at(ids, value) })
      return
    }
    case 'translations': {
      const group = at(await termsOf('post_translations'), first)
      const members = { en: at(pages, first), fr: at(pages, value) }
      await sql(termTaxonomy)
        .where({ term_taxonomy_id: group.term_taxonomy_id })
        .update({ description: translationGroup(members) })
      return
    }
    case 'language name': {
      const { term_id } = at(await termsOf('language'), first)
      await sql(terms).where({ term_id }).update({ name: value })
      return
    }
    case 'menu slug': {
      const { term_id } = at(await termsOf('nav_menu'), first)
      await sql(terms).where({ term_id }).update({ slug: value })
      return
    }
    case 'search and replace':
      await sql(posts)
        .where('ID', '>', page)
        .update({ post_content: `replaced ${value}` })
      return
    case 'option':
      return option(first, value)
    case 'front page':
      await option('show_on_front', 'page')
      return option('page_on_front', String(page))
    case 'frame': {
      const id = at(frames, first)
      return option(recordOption(id), encodePhp({ slug: `php-${first % 7}`, html: value }))
    }
    case 'plugins':
      return option('active_plugins', encodePhp(value ? ['polylang/polylang.php'] : []))
    case 'archived':
      await sql(network.globals.blogs)
        .where({ blog_id: 2 })
        .update({ archived: value ? 1 : 0 })
      return
  }
}

/** A closed site and pages that are not public show nothing, so each run begins with an open site and a number of public pages. */
async function open(): Promise<void> {
  const { network } = shop.front
  const { posts, postmeta } = shop.site.tables
  const { sql } = network.db
  await sql(network.globals.blogs).where({ blog_id: 2 }).update({ archived: 0 })
  await sql(posts)
    .where({ post_type: 'page' })
    .whereRaw('ID % 3 > 0')
    .update({ post_status: 'publish', post_password: '' })
  const bound = sql(postmeta).where({ meta_key: '_svc_frame' }).select('post_id')
  const shown: number[] = await sql(posts)
    .where({ post_type: 'page', post_status: 'publish', post_password: '' })
    .whereIn('ID', bound)
    .pluck('ID')
  for (let at = shown.length; at < MIN_PAGES; at += 1) {
    const name = `page-${pages.length}`
    const post_parent = at % 2 === 0 ? 0 : (shown[at % shown.length] ?? 0)
    const columns = { ...NEW_PAGE, post_title: name, post_name: name, post_parent }
    const [ID] = await sql(posts).insert(columns)
    pages.push(Number(ID))
    const meta_value = frames[at % frames.length]
    await sql(postmeta).insert({ post_id: ID, meta_key: '_svc_frame', meta_value })
  }
}

/** Public pages at the beginning of each run, at least. */
const MIN_PAGES = 14

const NEW_PAGE = {
  ...{ post_author: 1, post_type: 'page', post_status: 'publish', post_parent: 0 },
  ...{
    post_content: '<p>new</p>',
    post_excerpt: '',
    to_ping: '',
    pinged: '',
    post_content_filtered: '',
  },
  ...{ post_date: '2026-01-01 00:00:00', post_date_gmt: '2026-01-01 00:00:00' },
  ...{ post_modified: '2026-01-01 00:00:00', post_modified_gmt: '2026-01-01 00:00:00' },
}

it('an incremental update yields the same copies as a full rebuild, byte for byte', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      await open()
      for (const one of edits) await make(one)
      await shop.follow()
      const incremental = await shop.copies()
      await shop.rebuild()
      expect(Object.fromEntries(incremental)).toEqual(Object.fromEntries(await shop.copies()))
    }),
    { numRuns: Number(process.env.EDIT_RUNS ?? 40), endOnFailure: true },
  )
})
