import { type Facts, SHARED_MENU } from './facts.ts'
import { embedding, hubPage, wholePage } from './frame-markup.ts'
import type { Changes } from './ledger.ts'
import type { Random } from './random.ts'

/** The things of a writer, and what it may write to. */
export type WriterState = {
  /** Prefix of the slugs of its frames and menus; the title of its item in the shared menu. */
  readonly name: string
  /** The page that it assigns to frames. */
  readonly page: number
  readonly location: string
  /** What it writes: frames and menus; the same, often its hub, which other frames embed; or only menus, mostly their assignment to locations. */
  readonly writes: 'everything' | 'hubs' | 'menus'
  /** Number of frames that embed its hub, and that a rename of the hub rewrites. */
  readonly parts: number
  readonly random: Random
  readonly facts: Facts
  readonly itemIds: ReadonlyMap<string, number>
}

/** A write and its changes. */
export type Write = {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly changes: Changes
  /** The title of the item that it adds; the answer contains the item's id. */
  readonly adds?: string
}

type Kind = (writer: WriterState, count: number) => Write | undefined

/** @param request method and path */
function sent(
  kind: string,
  request: string,
  changes: Iterable<readonly [string, string | undefined]>,
  body?: object,
): Write {
  const [method = '', path = ''] = request.split(' ')
  return { kind, method, path, ...(body && { body }), changes: new Map(changes) }
}

/** Chooses the next write of a writer randomly among the possible ones. */
export function nextWrite(writer: WriterState, count: number): Write {
  for (;;) {
    const write = writer.random.pick(KINDS[writer.writes])(writer, count)
    if (write) return write
  }
}

const createFrame: Kind = ({ name, random, facts }, count) => {
  if (framesOf(name, facts).length >= 12) return undefined
  const slug = `${name}-frame-${count}`
  const html = pageOf(name, count, random)
  const body = { slug, html, bake: random.below(4) > 0 }
  return sent('create frame', 'POST /frames', [[`frame ${slug}`, html]], body)
}

const replaceFrame: Kind = ({ name, page, random, facts }, count) => {
  // Prefers the frame of the page, whose static copy is then written again.
  const slug = facts.get(`page ${page}`) ?? oneOf(framesOf(name, facts), random)
  if (slug === undefined) return undefined
  const html = pageOf(name, count, random)
  return sent('replace frame', `PUT /frames/${slug}`, [[`frame ${slug}`, html]], { html })
}

const renameFrame: Kind = ({ name, page, random, facts }, count) => {
  const slug = oneOf(framesOf(name, facts), random)
  if (slug === undefined) return undefined
  const to = `${name}-frame-${count}`
  const changes = new Map([
    [`frame ${slug}`, undefined],
    [`frame ${to}`, facts.get(`frame ${slug}`)],
  ])
  if (facts.get(`page ${page}`) === slug) changes.set(`page ${page}`, to)
  return sent('rename frame', `PATCH /frames/${slug}`, changes, { slug: to })
}

const replaceHub: Kind = ({ name, parts, random, facts }, count) => {
  const slug = hubOf(name, facts)
  if (slug === undefined) return undefined
  const html = hubPage(`${name}-${count}`, random.below(30))
  return sent(
    `replace a frame in ${parts} others`,
    `PUT /frames/${slug}`,
    [[`frame ${slug}`, html]],
    { html },
  )
}

const renameHub: Kind = ({ name, parts, random, facts }, count) => {
  const slug = hubOf(name, facts)
  if (slug === undefined) return undefined
  const to = `${name}-hub-${count}`
  const changes = new Map([
    [`frame ${slug}`, undefined],
    [`frame ${to}`, facts.get(`frame ${slug}`)],
  ])
  for (let part = 0; part < parts; part += 1)
    changes.set(`frame ${name}-part-${part}`, embedding(to, part))
  const body = { slug: to, bake: random.below(4) === 0 }
  return sent(`rename a frame in ${parts} others`, `PATCH /frames/${slug}`, changes, body)
}

const deleteFrame: Kind = ({ name, page, random, facts }) => {
  const slugs = framesOf(name, facts)
  const slug = slugs.length > 4 ? oneOf(slugs, random) : undefined
  if (slug === undefined) return undefined
  const changes = new Map([[`frame ${slug}`, undefined]])
  if (facts.get(`page ${page}`) === slug) changes.set(`page ${page}`, undefined)
  return sent('delete frame', `DELETE /frames/${slug}`, changes)
}

const assignPage: Kind = ({ name, page, random, facts }) => {
  const slug = oneOf(framesOf(name, facts), random)
  if (slug === undefined) return undefined
  return sent('assign page', `POST /frames/${slug}/assign`, [[`page ${page}`, slug]], { page })
}

const clearPage: Kind = ({ page, random, facts }) => {
  const slug = facts.get(`page ${page}`)
  if (slug === undefined || random.below(3) > 0) return undefined
  const body = { page, clear: true }
  return sent('clear page', `POST /frames/${slug}/assign`, [[`page ${page}`, undefined]], body)
}

const replaceTree: Kind = ({ name, random, facts }, count) => {
  const slug = oneOf(menusOf(name, facts), random)
  if (slug === undefined) return undefined
  const { items, outline } = treeOf(name, count, 5 + random.below(40))
  return sent('replace tree', `PUT /menus/${slug}/items`, [[`menu ${slug}`, outline]], { items })
}

const createMenu: Kind = ({ name, facts }, count) => {
  if (menusOf(name, facts).length >= 4) return undefined
  const slug = `${name}-menu-${count}`
  const { items, outline } = treeOf(name, count, 6)
  return sent('create menu', 'POST /menus', [[`menu ${slug}`, outline]], {
    name: slug,
    slug,
    items,
  })
}

const deleteMenu: Kind = ({ name, location, random, facts }) => {
  const slugs = menusOf(name, facts)
  const slug = slugs.length > 2 ? oneOf(slugs, random) : undefined
  if (slug === undefined) return undefined
  const changes = new Map([[`menu ${slug}`, undefined]])
  if (facts.get(`location ${location}`) === slug) changes.set(`location ${location}`, undefined)
  return sent('delete menu', `DELETE /menus/${slug}`, changes)
}

const assignLocation: Kind = ({ name, location, random, facts }) => {
  const slug = oneOf(menusOf(name, facts), random)
  if (slug === undefined) return undefined
  return sent('assign location', `PUT /menus/${slug}/location`, [[`location ${location}`, slug]], {
    location,
  })
}

const addItem: Kind = ({ name, facts, itemIds }, count) => {
  const titles = branchOf(name, facts)
  if (titles.length >= 15) return undefined
  const title = `${name} item ${count}`
  return {
    ...sent(
      'add item',
      `POST /menus/${SHARED_MENU}/items`,
      [[`branch ${name}`, [...titles, title].join(', ')]],
      { url: `/${count}/`, title, parent: itemIds.get(name) },
    ),
    adds: title,
  }
}

const removeItem: Kind = ({ name, random, facts, itemIds }) => {
  const titles = branchOf(name, facts)
  const title = titles.length > 3 ? oneOf(titles, random) : undefined
  if (title === undefined) return undefined
  return sent('remove item', `DELETE /menus/${SHARED_MENU}/items/${itemIds.get(title)}`, [
    [`branch ${name}`, titles.filter((other) => other !== title).join(', ')],
  ])
}

const reorderItems: Kind = ({ name, facts, itemIds }) => {
  const titles = branchOf(name, facts).reverse()
  if (titles.length < 2) return undefined
  const order = titles.map((title) => itemIds.get(title))
  return sent(
    'reorder items',
    `POST /menus/${SHARED_MENU}/reorder`,
    [[`branch ${name}`, titles.join(', ')]],
    { parent: itemIds.get(name), order },
  )
}

/** Kinds of writes; a repeated kind is chosen more often. */
const FRAME_KINDS: readonly Kind[] = [
  createFrame,
  createFrame,
  replaceFrame,
  replaceFrame,
  renameFrame,
  renameHub,
  renameHub,
  deleteFrame,
  assignPage,
  assignPage,
  clearPage,
]
const MENU_KINDS: readonly Kind[] = [
  replaceTree,
  replaceTree,
  createMenu,
  deleteMenu,
  assignLocation,
  addItem,
  addItem,
  removeItem,
  reorderItems,
]
const MAP_KINDS: readonly Kind[] = [assignLocation, assignLocation, assignLocation]
const KINDS = {
  everything: [...FRAME_KINDS, ...MENU_KINDS],
  hubs: [...FRAME_KINDS, ...MENU_KINDS, ...Array.from({ length: 6 }, () => replaceHub)],
  menus: [...MENU_KINDS, ...MAP_KINDS],
}

const oneOf = (slugs: readonly string[], random: Random): string | undefined =>
  slugs.length === 0 ? undefined : random.pick(slugs)

const namesAfter = (prefix: string, kind: string, facts: Facts): string[] =>
  [...facts.keys()].filter((fact) => fact.startsWith(prefix)).map((fact) => fact.slice(kind.length))

const framesOf = (name: string, facts: Facts): string[] =>
  namesAfter(`frame ${name}-frame-`, 'frame ', facts)

const hubOf = (name: string, facts: Facts): string | undefined =>
  [...facts.keys()].find((fact) => fact.startsWith(`frame ${name}-hub`))?.slice('frame '.length)

const menusOf = (name: string, facts: Facts): string[] =>
  namesAfter(`menu ${name}-`, 'menu ', facts)

const branchOf = (name: string, facts: Facts): string[] =>
  (facts.get(`branch ${name}`) ?? '').split(', ').filter((title) => title !== '')

/** Mostly small, sometimes a few hundred kilobytes. */
function pageOf(name: string, count: number, random: Random): string {
  const lines = random.below(10) === 0 ? random.below(4000) : random.below(100)
  return wholePage(`${name}-${count}`, lines)
}

/** A tree of three levels, and its outline. Each title contains the number of the write. */
function treeOf(name: string, count: number, size: number) {
  const items: object[] = []
  const outlines: string[] = []
  for (let top = 0; top * 3 < size; top += 1) {
    const title = (position: string) => `${name} ${count} at ${top}${position}`
    const link = (position: string, children: object[]) => ({
      title: title(position),
      url: `/${count}/${top}/`,
      children,
    })
    items.push(link('', [link('.0', [link('.0.0', [])])]))
    outlines.push(`${title('')} (${title('.0')} (${title('.0.0')}))`)
  }
  return { items, outline: outlines.join(', ') }
}
