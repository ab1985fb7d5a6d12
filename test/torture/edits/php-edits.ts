import { PAGE_META_KEY, recordOption } from '../../../src/content/frames/option-names.ts'
import { type EditableSite, FRAMES } from '../../support/editable-site.ts'
import type { Random } from '../support/random.ts'

/** Calls of functions of WordPress, as its screens make them, in one request. */
export type PhpEdit = { readonly kind: string; readonly calls: readonly Call[] }

type Call = readonly [name: string, args: readonly unknown[]]

type Kind = (editable: EditableSite, random: Random, count: number) => Call[]

/** Chooses an edit randomly. @param count the number of the edit, which is in its texts */
export function randomPhpEdit(editable: EditableSite, random: Random, count: number): PhpEdit {
  const kind = random.pick(Object.keys(KINDS))
  const calls = KINDS[kind]?.(editable, random, count) ?? []
  const { blogId } = editable.site
  // Requests to a site that is archived would be refused.
  return { kind: `PHP ${kind}`, calls: [['switch_to_blog', [blogId]], ...calls] }
}

const KINDS: Readonly<Record<string, Kind>> = {
  'title of a page': ({ pages }, random, count) => [
    ['wp_update_post', [{ ID: random.pick(pages), post_title: `PHP ${count}` }]],
  ],
  'content of a page': ({ pages }, random, count) => [
    ['wp_update_post', [{ ID: random.pick(pages), post_content: `<p>PHP ${count}</p>` }]],
  ],
  'slug and parent of a page': ({ pages }, random, count) => {
    const post_parent = random.below(2) * random.pick(pages)
    const page = { ID: random.pick(pages), post_name: `php-${count % 5}`, post_parent }
    return [['wp_update_post', [page]]]
  },
  'new page': ({ pages, assignable }, random, count) => {
    const page = {
      post_type: 'page',
      post_status: 'publish',
      post_title: `New ${count}`,
      post_parent: random.below(2) * random.pick(pages),
      meta_input: { [PAGE_META_KEY]: random.pick(assignable) },
    }
    return [['wp_insert_post', [page]]]
  },
  'trash a page': ({ pages }, random) => [['wp_trash_post', [random.pick(pages)]]],
  'restore a page': ({ pages }, random) => {
    const page = random.pick(pages)
    return [
      ['wp_untrash_post', [page]],
      ['wp_publish_post', [page]],
    ]
  },
  'delete a page': ({ pages }, random) => [['wp_delete_post', [random.pick(pages), true]]],
  'frame of a page': ({ pages, assignable }, random) => {
    const [page, frame] = [random.pick(pages), random.pick(assignable)]
    if (random.below(3) === 0) return [['delete_post_meta', [page, PAGE_META_KEY]]]
    return [['update_post_meta', [page, PAGE_META_KEY, frame]]]
  },
  setting: (_, random, count) => {
    const [name, value] = random.pick<[string, unknown]>([
      ['blogname', `PHP ${count}`],
      ['blogdescription', `PHP ${count}`],
      ['date_format', random.pick(['Y', 'F j, Y'])],
      ['svc_data_news', [`PHP ${count}`]],
      ['show_on_front', random.pick(['page', 'posts'])],
    ])
    return [['update_option', [name, value]]]
  },
  'theme mod': ({ menus }, random, count) => {
    const locations = { header: random.pick(menus), footer_1: random.pick(menus) }
    if (random.below(2) === 0) return [['set_theme_mod', ['nav_menu_locations', locations]]]
    return [['set_theme_mod', [`php_${count % 3}`, count]]]
  },
  'meta of a menu item': ({ items }, random) => {
    const target = random.pick(['_blank', ''])
    return [['update_post_meta', [random.pick(items), '_menu_item_target', target]]]
  },
  'new menu item': ({ menus, pages }, random, count) => {
    const link = {
      'menu-item-type': 'post_type',
      'menu-item-object': 'page',
      'menu-item-object-id': random.pick(pages),
    }
    const item = { 'menu-item-title': `PHP ${count}`, 'menu-item-status': 'publish' }
    const target = random.below(2) === 0 ? link : { 'menu-item-url': `/php/${count}/` }
    return [['wp_update_nav_menu_item', [random.pick(menus), 0, { ...item, ...target }]]]
  },
  'name of a menu': ({ menus }, random, count) => [
    ['wp_update_term', [random.pick(menus), 'nav_menu', { name: `PHP ${count}` }]],
  ],
  // As the former PHP endpoint wrote frames: only their records.
  'record of a frame': ({ frames }, random, count) => {
    const html = random.pick([...Object.values(FRAMES), `<p>PHP ${count}</p>`])
    const record = { slug: `php-${count % 7}`, html, updated_at_gmt: '2031-01-01 00:00:00' }
    return [['update_option', [recordOption(random.pick(frames)), record, false]]]
  },
  'archived site': ({ site }, random) => [
    ['update_blog_status', [site.blogId, 'archived', String(random.below(2))]],
  ],
}
