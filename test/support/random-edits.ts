import fc from 'fast-check'
import { encodePhp } from '#php-serialized'
import { PAGE_META_KEY, recordOption } from '../../src/content/frames/option-names.ts'
import { type EditableSite, FRAMES, insertPage } from './editable-site.ts'

const nth = fc.nat(1000)
const text = fc.constantFrom('One', 'Two', 'Three & <Four>', '')
const slug = fc.constantFrom('one', 'two', 'three', 'about-us', 'team')
const status = fc.constantFrom('publish', 'publish', 'draft', 'private', 'trash')
const markup = fc.constantFrom(...Object.values(FRAMES), '<p>PHP</p>')

function edit<Kind extends string, First, Value>(
  kind: Kind,
  first: fc.Arbitrary<First>,
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<readonly [Kind, First, Value]> {
  return fc.tuple(fc.constant(kind), first, value)
}

const option = <Name extends string>(name: Name, ...values: [string, ...string[]]) =>
  edit('option', fc.constant(name), fc.constantFrom(...values))

/** Edits as WordPress, plugins and scripts make them. Each gives its rows by position, so that a failing example shrinks. */
export const randomEdit = fc.oneof(
  edit('title', nth, text),
  edit('content', nth, text),
  edit('slug', nth, slug),
  edit('parent', nth, nth),
  edit('status', nth, status),
  edit('password', nth, fc.constantFrom('', '', 'secret')),
  edit('type', nth, fc.constantFrom('page', 'page', 'post')),
  edit('delete', nth, nth),
  edit('insert', nth, slug),
  edit('assign', nth, nth),
  edit('clear', nth, nth),
  edit('item', nth, text),
  edit('item order', nth, fc.nat(9)),
  edit('item meta', nth, fc.constantFrom('_blank', '')),
  edit('item object', nth, nth),
  edit('language of page', nth, nth),
  edit('translations', nth, nth),
  edit('language name', nth, text),
  edit('menu slug', nth, slug),
  edit('search and replace', nth, text),
  option('blogname', 'A', 'B', 'C'),
  option('date_format', 'A', 'B', 'C'),
  option('blogdescription', 'A', 'B', 'C'),
  option('svc_data_news', '["A"]', '["B"]'),
  option('show_on_front', 'page', 'posts'),
  option('permalink_structure', '/%postname%/', '/x/%postname%', '/%postname%/', '/%postname%'),
  edit('front page', nth, nth),
  edit('frame', nth, markup),
  edit('plugins', nth, fc.boolean()),
  edit('archived', nth, fc.boolean()),
)

export type Edit = typeof randomEdit extends fc.Arbitrary<infer T> ? T : never

/** Makes an edit by SQL. */
export async function makeEdit(editable: EditableSite, [kind, first, value]: Edit): Promise<void> {
  const { site, pages, items, menus, frames, assignable } = editable
  const { sql } = editable.db
  const { posts, postmeta, options, terms, termTaxonomy, termRelationships } = site.tables
  const page = at(pages, Number(first))
  const update = (ID: number, columns: object) => sql(posts).where({ ID }).update(columns)
  const setOption = async (option_name: string, option_value: string) => {
    await sql(options).insert({ option_name, option_value, autoload: 'off' }).onConflict().merge()
  }
  const setMeta = (post_id: number, meta_key: string, meta_value: string) =>
    sql(postmeta).where({ post_id, meta_key }).update({ meta_value })
  const clear = () => sql(postmeta).where({ post_id: page, meta_key: PAGE_META_KEY }).delete()
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
    case 'insert':
      return insertPage(editable, { name: value, frame: at(assignable, first) })
    case 'assign': {
      await clear()
      const meta_value = at(assignable, value)
      await sql(postmeta).insert({ post_id: page, meta_key: PAGE_META_KEY, meta_value })
      return
    }
    case 'clear':
      await clear()
      return
    case 'item':
      await update(at(items, first), { post_title: value })
      return
    case 'item order':
      await update(at(items, first), { menu_order: value })
      return
    case 'item meta':
      await setMeta(at(items, first), '_menu_item_target', value)
      return
    case 'item object':
      await setMeta(at(items, first), '_menu_item_object_id', String(at(pages, value)))
      return
    case 'language of page': {
      const ids = (await termsOf('language')).map(({ term_taxonomy_id }) => term_taxonomy_id)
      await sql(termRelationships)
        .where({ object_id: page })
        .whereIn('term_taxonomy_id', ids)
        .delete()
      await sql(termRelationships).insert({ object_id: page, term_taxonomy_id: at(ids, value) })
      return
    }
    case 'translations': {
      const { term_taxonomy_id } = at(await termsOf('post_translations'), first)
      const description = encodePhp({ en: page, fr: at(pages, value) })
      await sql(termTaxonomy).where({ term_taxonomy_id }).update({ description })
      return
    }
    case 'language name': {
      const { term_id } = at(await termsOf('language'), first)
      await sql(terms).where({ term_id }).update({ name: value })
      return
    }
    case 'menu slug':
      await sql(terms)
        .where({ term_id: at(menus, first) })
        .update({ slug: value })
      return
    case 'search and replace':
      await sql(posts)
        .where('ID', '>', page)
        .update({ post_content: `replaced ${value}` })
      return
    case 'option':
      return setOption(first, value)
    case 'front page':
      await setOption('show_on_front', 'page')
      return setOption('page_on_front', String(page))
    case 'frame': {
      const record = encodePhp({ slug: `php-${first % 7}`, html: value })
      return setOption(recordOption(at(frames, first)), record)
    }
    case 'plugins':
      return setOption('active_plugins', encodePhp(value ? ['polylang/polylang.php'] : []))
    case 'archived':
      await sql(site.globals.blogs)
        .where({ blog_id: site.blogId })
        .update({ archived: value ? 1 : 0 })
      return
  }
}

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T
