import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** The address of a view: the part of the page's address after `#`, so that it is never sent to a server. */
export type Address = { readonly path: string; readonly query: URLSearchParams }

export const address = signal<Address>(readAddress())

addEventListener('hashchange', () => (address.value = readAddress()))

function readAddress(): Address {
  const [path = '', query = ''] = location.hash.slice(1).split('?')
  // A link with a token names no view, and may still be in the address.
  return { path: path.startsWith('/') ? path : '/', query: new URLSearchParams(query) }
}

/** The path of a view or a request: each value is encoded. */
export function path(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)))
}

type Query = Readonly<Record<string, string | number | undefined>>

/** The link to a view. Parameters without a value are left out. */
export function linkTo(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') params.set(name, String(value))
  return `#${path}${params.size > 0 ? `?${params}` : ''}`
}

/** A parameter of the address of the view; '' without one. */
export const parameter = (name: string): string => address.value.query.get(name) ?? ''

/** A parameter that is a number. */
export function numberParameter(name: string): number | undefined {
  const value = parameter(name)
  return value === '' ? undefined : Number(value)
}

/** The path of a view of the site that is shown. */
export const inSite = (below = ''): string => address.value.path.split('/', 3).join('/') + below

/** Shows another view. */
export function goTo(path: string, query: Query = {}): void {
  location.hash = linkTo(path, query)
}

/** Changes parameters of the view's address, without an entry in the browser's history. */
export function replaceQuery(changes: Query): void {
  const { path, query } = address.value
  const target = linkTo(path, { ...Object.fromEntries(query), ...changes })
  if (target === location.hash) return
  history.replaceState(null, '', target)
  address.value = readAddress()
}

/** Filters or sorts the list of the view in another way: it begins at the first page. */
export const filterBy = (changes: Query): void =>
  replaceQuery({ ...changes, after: undefined, before: undefined })

/** What a view gets: the parameters of its path, decoded. */
export type ViewProps<Names extends string = never> = {
  readonly params: Readonly<Record<Names, string>>
}

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type View = ComponentType<ViewProps<string>>

export type Route = {
  readonly pattern: string
  /** The entry of the navigation that is marked as current. */
  readonly section: string
  readonly load: () => Promise<View>
}

/** A route: `/sites/:site/frames`. The view's file is loaded when it is first shown; it exports `View`. */
export function route<Path extends string>(
  pattern: Path,
  section: string,
  load: () => Promise<{ readonly View: ComponentType<ViewProps<NamesIn<Path>>> }>,
): Route {
  return { pattern, section, load: async () => (await load()).View as View }
}

/** The first route that fits the path, with its parameters. */
export function findRoute(
  routes: readonly Route[],
  path: string,
): { readonly route: Route; readonly params: Record<string, string> } | undefined {
  const given = path.split('/')
  for (const route of routes) {
    const wanted = route.pattern.split('/')
    if (wanted.length !== given.length) continue
    const fits = wanted.every((part, at) => part.startsWith(':') || part === given[at])
    if (!fits) continue
    const params = wanted.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), decode(given[at] ?? '')]] : [],
    )
    return { route, params: Object.fromEntries(params) }
  }
  return undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
