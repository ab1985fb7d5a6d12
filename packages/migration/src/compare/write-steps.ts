/** A request that writes, or reads what was written. */
export type WriteStep = {
  readonly method: string
  /** Below `/site/<id>`, with the query. `{item:Title}` is the id of the menu item with this title, as the side has answered it. */
  readonly path: string
  readonly body?: unknown
}

/** What is on a site before the writes. */
export type WritableThings = {
  /** Ids of published pages. */
  readonly pages: readonly number[]
  /** A page that visitors do not see. */
  readonly draft: number | undefined
  /** A frame that exists. */
  readonly frame: { readonly slug: string; readonly html: string } | undefined
  /** A menu that exists. */
  readonly menu: { readonly id: number; readonly slug: string } | undefined
  /** Codes, the default language first; empty without Polylang. */
  readonly languages: readonly string[]
}

/** The beginning of the slugs and names of what the writes create. */
const NAME = 'wpf-compare'

const step = (method: string, path: string, body?: unknown): WriteStep =>
  body === undefined ? { method, path } : { method, path, body }

/** Writes of every endpoint of the contract, also such that are refused, in an order in which each finds what it needs. */
export const generatedSteps = (things: WritableThings): readonly WriteStep[] => [
  ...frameSteps(things),
  ...menuSteps(things),
]

function frameSteps({ pages, frame }: WritableThings): WriteStep[] {
  const [page] = pages
  const card = `${NAME}-card`
  const html = '<div class="card">Ünï <b data-op-bind="text:page.title"></b>\n</div>\n'
  const page_html = `<!DOCTYPE html><html><body><!-- svc/frame {"name":"${card}"} /--><!-- svc/menu {"location":"header"} /--></body></html>`
  return [
    step('POST', '/frames', { slug: card, html, dry_run: true }),
    step('POST', '/frames', { slug: card, html, type: 'page', default: true, name: 'Card' }),
    step('POST', '/frames', { slug: card, html }),
    step('POST', '/frames', { slug: `${NAME}__`, html }),
    step('POST', '/frames', { slug: `${NAME}-none` }),
    step('POST', '/frames', { slug: `${NAME}-none`, html, url: '/x' }),
    step('POST', '/frames', { slug: `${card.toUpperCase()}__TITLE`, markup: '<h2>Title</h2>' }),
    step('POST', '/frames', { slug: `${NAME}-page`, html: page_html }),
    step('POST', '/frames', {
      slug: `${NAME}-conflict`,
      html: `<!-- svc/frame {"name":"${card}","slug":"${NAME}-page"} /-->`,
    }),
    step('GET', `/frames?q=${NAME}&include_html=1`),
    step('PUT', `/frames/${card}`, { html: html.replace('Ünï', '<i>ünï</i>') }),
    step('PUT', `/frames/${card}`, { html: '' }),
    step('PUT', `/frames/${NAME}-none`, { html }),
    step('PUT', `/frames/${card}`, { html, slug: `${NAME}-tile` }),
    step('PATCH', `/frames/${NAME}-tile`, { slug: card, dry_run: true }),
    step('PATCH', `/frames/${NAME}-tile`, { slug: card }),
    step('PATCH', `/frames/${card}`, { slug: `${NAME}-page` }),
    step('PATCH', `/frames/${card}`, { slug: '-' }),
    step('PATCH', `/frames/${card}`, {}),
    step('PATCH', `/frames/${card}`, { name: 'Card' }),
    step('PATCH', `/frames/${card}`, { default: true }),
    step('PATCH', `/frames/${card}`, { slug: `${NAME}-tile`, url: '/x' }),
    step('PATCH', `/frames/${NAME}-none`, { slug: `${NAME}-other` }),
    step('GET', `/frames/${NAME}-page`),
    ...(page === undefined
      ? []
      : [
          step('POST', `/frames/${NAME}-page/assign`, { page }),
          step('GET', `/frames/${NAME}-page`),
          step('POST', `/frames/${NAME}-page/assign`, { page, clear: true }),
          step('POST', `/frames/${NAME}-page/assign`, { page, bake: false }),
          step('POST', `/frames/${NAME}-none/assign`, { page }),
        ]),
    step('POST', `/frames/${NAME}-page/assign`, {}),
    step('POST', `/frames/${NAME}-page/assign`, { page: `${NAME}/nothing` }),
    step('POST', '/frames/rebake', {}),
    step('POST', '/frames/rebake', { frames: [card], menus: true }),
    ...(frame
      ? [
          step('PUT', `/frames/${frame.slug}`, { html: `${frame.html}\n` }),
          step('PUT', `/frames/${frame.slug}`, { html: frame.html }),
        ]
      : []),
    step('POST', '/frames/defaults', { slug: card }),
    step('POST', `/frames/${card}/default`),
    step('DELETE', `/frames/${card}`),
    step('DELETE', `/frames/${card}`),
    step('GET', `/frames/${NAME}-page`),
    step('DELETE', `/frames/${NAME}-page`, { bake: false }),
    step('GET', `/frames?q=${NAME}`),
  ]
}

function menuSteps({ pages, draft, menu, languages }: WritableThings): WriteStep[] {
  const [page = 0, other = page] = pages
  const main = `${NAME}-main`
  const [lang = 'en', second] = languages
  const links = [
    ...(page > 0 ? [{ page, title: 'Page of wp-frames' }] : []),
    {
      url: '/wpf-contact?a=1&b=[2]',
      title: 'Contact & more',
      target: '_blank',
      classes: 'a b',
      children: [{ url: 'https://other.example/', title: 'Below' }],
    },
    { url: 'https://example.org/', title: 'Last' },
  ]
  return [
    step('POST', '/menus', { name: 'WPF Compare "Main"', slug: main, items: links }),
    step('POST', '/menus', { name: 'WPF Compare other', slug: main }),
    step('POST', '/menus', {}),
    step('POST', '/menus', { name: `${NAME} 3`, items: 'none' }),
    step('POST', '/menus', { name: `${NAME} 3`, location: 'nowhere' }),
    step('POST', '/menus', { name: `${NAME} 3`, items: [{ page: `${NAME}/nothing` }] }),
    step('POST', '/menus', {
      name: `${NAME} 3`,
      location: 'header',
      lang: languages.length > 0 ? `${NAME}` : lang,
    }),
    ...(draft === undefined
      ? []
      : [
          step('POST', '/menus', { name: `${NAME} 3`, items: [{ page: draft }] }),
          step('POST', '/menus', {
            name: `${NAME} 3`,
            items: [{ page: draft, children: [{ url: '/x', title: 'X' }] }],
            allow_invalid: true,
          }),
        ]),
    step('GET', '/menus'),
    step('PATCH', `/menus/${main}`, { name: 'WPF Compare & more' }),
    step('PATCH', `/menus/${main}`, {}),
    step('PATCH', `/menus/${NAME}-none`, { name: 'X' }),
    step('PUT', `/menus/${main}/location`, { location: 'footer_3' }),
    ...(second === undefined
      ? []
      : [step('PUT', `/menus/${main}/location`, { location: 'footer_3', lang: second })]),
    step('PUT', `/menus/${main}/location`, {}),
    step('PUT', `/menus/${main}/location`, { location: 'nowhere' }),
    step('PUT', `/menus/${NAME}-none/location`, { location: 'header' }),
    step('GET', '/data/menu.footer_3'),
    step('PUT', '/menus/~footer_3/items', { items: [...links].reverse() }),
    step('PUT', `/menus/${main}/items`, { items: links }),
    step('PUT', `/menus/${main}/items`, {}),
    step('PUT', `/menus/${main}/items`, { items: [{ page: `${NAME}/nothing` }] }),
    step('PUT', `/menus/${NAME}-none/items`, { items: [] }),
    step('POST', `/menus/${main}/items`, { item: { url: '/added', title: 'Added' } }),
    step('POST', `/menus/${main}/items`, {
      url: '/child',
      title: 'Child',
      parent: '{item:Added}',
    }),
    ...(page > 0 ? [step('POST', `/menus/${main}/items`, { page: other })] : []),
    step('POST', `/menus/${main}/items`, { title: 'Nowhere' }),
    step('POST', `/menus/${main}/items`, { item: { page: `${NAME}/nothing` } }),
    step('POST', `/menus/${main}/items`, { url: '/x', title: 'X', parent: 999_999_999 }),
    step('PATCH', `/menus/${main}/items/{item:Added}`, { title: 'Changed' }),
    step('PATCH', `/menus/${main}/items/{item:Added}`, { url: '/changed', classes: 'c' }),
    ...(page > 0 ? [step('PATCH', `/menus/${main}/items/{item:Added}`, { page })] : []),
    step('PATCH', `/menus/${main}/items/{item:Child}`, { parent: 0 }),
    step('PATCH', `/menus/${main}/items/{item:Child}`, { parent: '{item:Child}' }),
    step('PATCH', `/menus/${main}/items/999999999`, { title: 'X' }),
    step('POST', `/menus/${main}/reorder`, { order: ['{item:Child}', '{item:Last}'] }),
    step('POST', `/menus/${main}/reorder`, {}),
    step('POST', `/menus/${main}/reorder`, { order: [999_999_999] }),
    step('GET', '/data/menu.footer_3'),
    step('DELETE', `/menus/${main}/items/{item:Contact & more}`),
    step('DELETE', `/menus/${main}/items/999999999`),
    ...(menu
      ? [
          step('POST', `/menus/${menu.id}/items`, { url: '/wpf-added', title: 'Added to it' }),
          step('DELETE', `/menus/${menu.id}/items/{item:Added to it}`),
          step('DELETE', `/menus/${menu.slug}`),
        ]
      : []),
    step('DELETE', `/menus/${main}`),
    step('DELETE', `/menus/${main}`),
    step('GET', '/menus'),
  ]
}

/** Routes of the contract, the more specific first. */
const ROUTES = [
  '/frames/rebake',
  '/frames/defaults',
  '/frames/{ref}/default',
  '/frames/{ref}/assign',
  '/frames/{ref}',
  '/frames',
  '/menus/{ref}/location',
  '/menus/{ref}/items/{id}',
  '/menus/{ref}/items',
  '/menus/{ref}/reorder',
  '/menus/{ref}',
  '/menus',
  '/data/{source}',
]

/** The route of a request below `/site/<id>`; the path itself if the contract has none. */
export function routeOf({ method, path }: Pick<WriteStep, 'method' | 'path'>): string {
  const [at = ''] = path.split('?', 1)
  const route = ROUTES.find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(at))
  return `${method} ${route ?? at}`
}

/** Menu items by title, as a side has answered them. */
export type KnownItems = ReadonlyMap<string, number>

/** A step with the ids of a side. An item that the side does not have is 0. */
export function fillStep({ method, path, body }: WriteStep, items: KnownItems): WriteStep {
  const idOf = (title: string): number => items.get(title) ?? 0
  const filledPath = path.replace(/\{item:([^}]+)\}/g, (_, title) => String(idOf(title)))
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const [, title] = /^\{item:([^}]+)\}$/.exec(value) ?? []
      return title === undefined ? value : idOf(title)
    }
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one)]))
  }
  return body === undefined
    ? { method, path: filledPath }
    : { method, path: filledPath, body: fill(body) }
}

/** The menu items in an answer, by title. A changed title is `{from, to}`; its item keeps the earlier one, too. */
export function itemsIn(answer: unknown, found: Map<string, number>): void {
  if (Array.isArray(answer)) for (const one of answer) itemsIn(one, found)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return
  const { id, title } = answer as Record<string, unknown>
  const titles: unknown[] = typeof title === 'object' && title ? Object.values(title) : [title]
  for (const one of titles)
    if (typeof one === 'string' && Number(id) > 0) found.set(decodeTitle(one), Number(id))
  for (const value of Object.values(answer)) itemsIn(value, found)
}

const decodeTitle = (title: string): string => title.replaceAll('&amp;', '&')
