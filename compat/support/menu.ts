import { decodeHTMLStrict } from 'entities'
import type { CompatFixture } from './compat-fixture.ts'

/** An item as WordPress passes it to a theme. */
export type ShownItem = {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly type: string
  readonly object: string
  readonly object_id: number
  readonly parent: number
  readonly order: number
  readonly target: string
  readonly classes: readonly string[]
  readonly xfn: string
}

export type ShownMenu = {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly count: number
  readonly items: readonly ShownItem[]
}

/** The menu with this id in WordPress; throws if there is none. */
export async function shownMenu(fixture: CompatFixture, id: number): Promise<ShownMenu> {
  const menu = await fixture.wp<ShownMenu | null>('menu', id)
  if (!menu) throw new Error(`WordPress has no menu ${id}`)
  return menu
}

/** The titles, indented by their level. */
export function outline(items: readonly Pick<ShownItem, 'id' | 'parent' | 'title'>[]): string[] {
  const depths = new Map([[0, -1]])
  return items.map(({ id, parent, title }) => {
    const depth = (depths.get(parent) ?? Number.NaN) + 1
    depths.set(id, depth)
    return `${'  '.repeat(depth)}${decodeHTMLStrict(title)}`
  })
}

/** An item in the response to a write. */
export type AnsweredItem = {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly page: number | null
  readonly url: string
  readonly parent: number
  readonly order: number
  readonly valid: boolean
}

/** Converts an item of WordPress to the form of the API. */
export function asAnswered(item: ShownItem): AnsweredItem {
  const { id, title, type, object_id, url, parent, order } = item
  const page = type === 'post_type' ? object_id : null
  return { id, title: decodeHTMLStrict(title), type, page, url, parent, order, valid: true }
}

/** An item of `GET /data/menu.<location>`. */
export type DataItem = {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly type: string
  readonly page: number | null
  readonly target: string
  readonly classes: string
  readonly children: readonly DataItem[]
}

/**
 * The expected response of `GET /data/menu.<location>` for the items that WordPress shows: trees, with items without their parent last.
 */
export function asData(items: readonly ShownItem[]): DataItem[] {
  const ids = new Set(items.map(({ id }) => id))
  const below = (parent: number): DataItem[] =>
    items.filter((item) => item.parent === parent).map(data)
  const data = (item: ShownItem): DataItem => ({
    id: item.id,
    title: decodeHTMLStrict(item.title),
    url: item.url,
    type: item.type,
    page: item.type === 'post_type' && item.object === 'page' ? item.object_id : null,
    target: item.target,
    classes: item.classes.join(' '),
    children: below(item.id),
  })
  const orphans = items.filter(({ parent }) => parent !== 0 && !ids.has(parent))
  return [...below(0), ...orphans.map(data)]
}

/** The items at a location as the API reads them, normalized. */
export async function dataOf(
  fixture: CompatFixture,
  location: string,
): Promise<readonly DataItem[]> {
  const { items } = await fixture.done<{ items: DataItem[] }>('get', `/data/menu.${location}`)
  return items.map(asText)
}

/** An item with its title as text, because WordPress applies its typography to titles of pages, and without empty classes. */
function asText({ title, classes, children, ...item }: DataItem): DataItem {
  return {
    ...item,
    title: decodeHTMLStrict(title),
    classes: classes.split(' ').filter(Boolean).join(' '),
    children: children.map(asText),
  }
}

/** A menu that was created through the API. */
export type MadeMenu = {
  readonly menu: { readonly id: number; readonly name: string; readonly slug: string }
  readonly items: readonly AnsweredItem[]
}

export function makeMenu(fixture: CompatFixture, body: object, login?: string): Promise<MadeMenu> {
  return fixture.done<MadeMenu>('post', '/menus', body, login)
}
