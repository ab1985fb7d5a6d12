import fc from 'fast-check'
import type { MenusApi } from './menus-api.ts'

/** A write through the API. Names and positions are numbers, which `performWrite` maps to what exists. */
export type RandomWrite = {
  readonly verb: (typeof VERBS)[number]
  readonly which: number
  readonly other: number
}

const VERBS = [
  'create frame',
  'replace frame',
  'rename frame',
  'delete frame',
  'assign frame',
  'clear frame',
  'create menu',
  'replace items',
  'add item',
  'update item',
  'move item',
  'remove item',
  'reorder level',
  'rename menu',
  'assign menu',
  'delete menu',
  'import menu',
  'push frame',
] as const

export const randomWrite: fc.Arbitrary<RandomWrite> = fc.record({
  verb: fc.constantFrom(...VERBS),
  which: fc.nat(99),
  other: fc.nat(99),
})

const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3']
const TEXTS = ['One', 'R&D <b>bold</b>', 'Größe', '', "O'Neil \\ 1"]

const itemOf = (number: number): object => {
  const title = TEXTS[number % TEXTS.length]
  const link = number % 3 === 0 ? { page: 2 + (number % 2) } : { url: `/to/${number}?a=1&b=2` }
  const children = number % 4 === 0 ? [{ url: `/below/${number}`, title: 'Below' }] : []
  return {
    ...link,
    ...(title === '' ? {} : { title }),
    classes: number % 5 === 0 ? 'a b' : '',
    children,
  }
}

type Writers = Pick<MenusApi, 'send' | 'network'> & {
  /** Sends a folder with this file by the command `frames push`. Returns its exit code. */
  push(name: string, html: string): Promise<number>
  /** Imports a menu by the command `menus import`. Returns its exit code. */
  importMenu(menu: object): Promise<number>
}

/**
 * Performs a write as an administrator of the shop; one that the present content does not allow does nothing.
 * @returns the status of the response; 0 if nothing was sent
 */
export async function performWrite(
  { send, network, push, importMenu }: Writers,
  { verb, which, other }: RandomWrite,
): Promise<number> {
  const { body: listed } = await send('get', '/frames')
  const frame = pick<{ slug: string }>(listed.frames, which)
  const { body: menus } = await send('get', '/menus')
  const menu = pick<{ id: number }>(menus.menus, which)
  const items = menu ? await itemsOf(menu.id) : []
  const item = pick(items, other)
  const frameSlug = `frame-${other % 8}`
  const pages = [2, 3]
  const html = `<p>${which}</p><!-- svc/frame {"name":"frame-${which % 8}"} /-->\n`
  // Commands fail with 1 if the content does not allow the write.
  if (verb === 'push frame') return 200 + (await push(frameSlug, html))
  if (verb === 'import menu') {
    const tree = [{ url: `/${which}`, title: 'Imported' }, { page: 'about-us' }]
    return 200 + (await importMenu({ name: `Menu ${other % 7}`, items: tree }))
  }
  const request = ((): Parameters<typeof send> | undefined => {
    const bake = false
    switch (verb) {
      case 'create frame':
        return ['post', '/frames', { slug: frameSlug, html, bake }]
      case 'replace frame':
        return frame && ['put', `/frames/${frame.slug}`, { html: `${html}${other}`, bake }]
      case 'rename frame':
        return frame && ['patch', `/frames/${frame.slug}`, { slug: frameSlug, bake }]
      case 'delete frame':
        return frame && ['delete', `/frames/${frame.slug}`, { bake }]
      case 'assign frame':
      case 'clear frame': {
        const page = pick(pages, other)
        const clear = verb === 'clear frame'
        return frame && ['post', `/frames/${frame.slug}/assign`, { page, clear, bake }]
      }
      case 'create menu': {
        const location = other % 2 === 0 ? pick(LOCATIONS, which) : undefined
        const tree = [itemOf(which), itemOf(other)]
        return ['post', '/menus', { name: `Menu ${which % 7}`, location, items: tree }]
      }
      case 'replace items':
        return menu && ['put', `/menus/${menu.id}/items`, { items: [itemOf(other), itemOf(which)] }]
      case 'add item': {
        const parent = other % 2 === 0 ? item?.id : undefined
        return (
          menu && [
            'post',
            `/menus/${menu.id}/items`,
            { ...itemOf(which), children: undefined, parent },
          ]
        )
      }
      case 'update item':
        return (
          item && ['patch', `/menus/${menu?.id}/items/${item.id}`, { title: pick(TEXTS, other) }]
        )
      case 'move item':
        return (
          item && [
            'patch',
            `/menus/${menu?.id}/items/${item.id}`,
            { parent: pick(items, which)?.id ?? 0 },
          ]
        )
      case 'remove item':
        return item && ['delete', `/menus/${menu?.id}/items/${item.id}`]
      case 'reorder level': {
        const order = items.filter(({ parent }) => parent === 0).map(({ id }) => id)
        return menu && ['post', `/menus/${menu.id}/reorder`, { order: order.reverse() }]
      }
      case 'rename menu':
        return (
          menu && [
            'patch',
            `/menus/${menu.id}`,
            { name: `Menu ${other % 7}`, slug: `slug-${other % 7}` },
          ]
        )
      case 'assign menu':
        return menu && ['put', `/menus/${menu.id}/location`, { location: pick(LOCATIONS, other) }]
      case 'delete menu':
        return menu && ['delete', `/menus/${menu.id}`]
    }
  })()
  return request ? (await send(...request)).status : 0

  async function itemsOf(menuId: number): Promise<{ id: number; parent: number }[]> {
    const site = await network.site(2)
    const rows: { id: number; parent: string }[] = await network.db
      .sql({ r: site.tables.termRelationships })
      .join({ tt: site.tables.termTaxonomy }, 'tt.term_taxonomy_id', 'r.term_taxonomy_id')
      .join({ m: site.tables.postmeta }, 'm.post_id', 'r.object_id')
      .where({
        'tt.term_id': menuId,
        'tt.taxonomy': 'nav_menu',
        'm.meta_key': '_menu_item_menu_item_parent',
      })
      .orderBy('r.object_id')
      .select({ id: 'r.object_id', parent: 'm.meta_value' })
    return rows.map(({ id, parent }) => ({ id, parent: Number(parent) }))
  }
}

function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)]
}
