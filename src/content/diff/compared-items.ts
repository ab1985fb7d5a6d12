import { groupBy } from '../../host/group-by.ts'
import { eachText, storedTexts } from '../../wordpress/nav-menus/menu-item.ts'
import type { ItemInput } from '../menus/item-tree.ts'
import type { MenuItemContent } from '../menus/menu-history.ts'
import type { PortableItems } from '../menus/portable-items.ts'
import type { ComparedItem, ItemText } from './menu-diff.ts'

/** Items as they are stored, with their ids. */
export function storedItems(items: readonly MenuItemContent[]): ComparedItem[] {
  const indexes = new Map(items.map(({ id }, index) => [id, index]))
  return items.map(({ id, title, status, excerpt, content, meta, others = [] }) => {
    const metaOf = (name: string): string => meta[`_menu_item_${name}`] ?? ''
    const row = { post_excerpt: excerpt, post_content: content }
    const texts = storedTexts({ row, meta: new Map(Object.entries(meta)) })
    return {
      id,
      parent: indexes.get(Number(metaOf('menu_item_parent'))) ?? -1,
      title,
      link: storedLink(metaOf('type'), metaOf('object'), metaOf('object_id'), metaOf('url')),
      others: {
        status,
        ...texts,
        description: texts.description.trim(),
        switcher: meta._pll_menu_item ?? '',
        ...Object.fromEntries(
          [...groupBy(others, ([key]) => `meta ${key}`)].map(([name, values]) => [
            name,
            values.map(([, value]) => value).join(' | '),
          ]),
        ),
      },
    }
  })
}

/** `page 12`, or the address of a custom link. */
export function storedLink(type: string, object: string, id: string, url: string): ItemText {
  if (type === 'post_type_archive') return { text: `archive ${object}`, link: { object } }
  if (type !== 'post_type' && type !== 'taxonomy') return { text: url }
  const isId = /^[1-9]\d{0,14}$/.test(id)
  return { text: `${object} ${id}`, link: { object, ...(isId ? { id: Number(id) } : {}) } }
}

/** Items without ids of the site, and after them those that an export leaves out: they are lost when the menu is deleted. */
export function portableItems({ items, leftOut }: PortableItems): ComparedItem[] {
  return [
    ...items.map((item): ComparedItem => {
      const { object, parent, title = '' } = item
      return {
        id: 0,
        parent,
        // That of a language switcher is not shown.
        title: object?.kind === 'switcher' ? '' : title,
        link: portableLink(item),
        others: eachText((name) => item[name]),
      }
    }),
    ...leftOut.map(({ id, title, reason }): ComparedItem => {
      return { id, parent: -1, title, link: { text: `item ${id} (${reason})` }, others: {} }
    }),
  ]
}

function portableLink({ page, url = '', object }: ItemInput): ItemText {
  switch (object?.kind) {
    case undefined:
      return page === undefined ? { text: url } : linkTo('page', page)
    case 'post':
      return linkTo(object.type, object.path, object.lang)
    case 'term':
      return linkTo(object.taxonomy, object.path, object.lang)
    case 'post-id':
      return linkTo('post', object.id)
    case 'term-id':
      return linkTo(object.taxonomy, object.id)
    case 'archive':
      return linkTo('archive', object.type)
    case 'address':
      return { text: `${object.url} as it is` }
    case 'switcher':
      return { text: `switcher ${object.flags.join(' ')}` }
  }
}

const linkTo = (object: string, path: string | number, lang?: string): ItemText => ({
  text: `${object} ${path}${lang === undefined ? '' : ` (${lang})`}`,
  link: { object },
})
