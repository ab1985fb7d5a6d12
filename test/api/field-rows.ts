import type { NamedContent } from './named-content.ts'
import { webhookFieldRows } from './webhook-field-rows.ts'

/** A field that names content: the values with which it names the given content. */
export type Naming = (content: NamedContent) => readonly unknown[]

/** Fields by name: a fixed value, undefined for none, or a function that names content. */
export type Fields = Readonly<Record<string, unknown>>

/** A request with every field of the endpoint, and for each field what it names. */
export type FieldRow = {
  readonly route: string
  readonly path?: Fields
  readonly query?: Fields
  readonly body?: Fields
  /** The fields to test, if another row tests the others. */
  readonly only?: readonly string[]
  /** The fields with a name for new content: existing content with that name does not matter. */
  readonly making?: readonly string[]
}

/** A placeholder for a name that nothing has yet. */
export const UNUSED_NAME = Symbol('a name that nothing has')

const frame: Naming = ({ frames }) => frames
const frameSlug: Naming = ({ frames }) => frames.slice(1)
const menu: Naming = ({ menus }) => menus
/** Without the slug, which entries do not have. */
const recordedMenu: Naming = ({ menus: [id, , name] }) => [id, name]
const item: Naming = ({ items }) => items
const below: Naming = (content) => [content.below]
const page: Naming = ({ pages }) => pages
/** Other names are parts of titles that pages may share. */
const pageId: Naming = ({ pages: [id] }) => [id]
const entry: Naming = ({ entries }) => entries
const entryText: Naming = ({ entries }) => entries.map(String)
const spare: Naming = ({ spares }) => spares
const theme: Naming = ({ themes }) => themes
const lang: Naming = ({ langs }) => langs
const listed = (names: readonly unknown[]): unknown[][] => names.map((name) => [name])
const datasetList: Naming = ({ datasets }) => listed(datasets)
const frameList: Naming = ({ frames }) => listed(frames)
const trees: Naming = ({ pages }) =>
  pages.flatMap((page) => [[page], [{ page }], [{ url: '/', title: 'Top', children: [page] }]])
const keptTrees: Naming = ({ items }) => items.map((id) => [{ id }])
const wrapped: Naming = ({ pages, items }) => [
  ...pages.map((page) => ({ page })),
  ...items.map((parent) => ({ url: '/new/', title: 'New', parent })),
]
const markups: Naming = ({ frames, menus, datasets }) => [
  ...frames.map((name) => `<!-- svc/frame {"name":"${name}"} /-->`),
  ...frames.map((frame) => `<!-- svc/repeat {"source":"pages","frame":"${frame}"} /-->`),
  ...menus.map((menu) => `<!-- svc/menu ${JSON.stringify({ menu })} /-->`),
  ...datasets.map((name) => `<!-- svc/data {"source":"dataset.${name}.value"} /-->`),
  ...datasets.map((name) => `<p data-op-bind="dataset.${name}.value">nothing</p>`),
]

/** Lists of unsaved things of a preview, each of which names the content. */
const unsavedFrames: Naming = (content) => markups(content).map((html) => [{ slug: 'new', html }])
/** No problem says which menus a site has. */
const checkedFrames: Naming = (content) => unsavedFrames({ ...content, menus: [] })
const unsavedMenus: Naming = ({ menus }) => menus.map((menu) => [{ menu, items: [] }])
const unsavedDatasets: Naming = ({ datasets }) => datasets.map((name) => [{ name, value: {} }])

/** Requests of a batch, each of which names the content in its path or body. */
const requests: Naming = ({ frames, menus, pages }) => [
  ...frames.map((ref) => [{ method: 'DELETE', path: `/frames/${encodeURIComponent(ref)}` }]),
  ...menus.map((ref) => [{ method: 'DELETE', path: `/menus/${encodeURIComponent(ref)}` }]),
  ...pages.map((page) => [
    { method: 'POST', path: '/menus', body: { name: 'New', items: [page] } },
  ]),
]

/** Fields without a value, by their names. */
const unset = (names: string): Fields =>
  Object.fromEntries(names.split(' ').map((name) => [name, undefined]))

const noFilter = unset('kind action user token request since until cursor limit')
const noRestore = unset('entry request_id token_id since at if_unchanged everything dry_run bake')
const noPreview = unset('page lang frames assign menus datasets')
const noPaging = { ...unset('type only sort after limit'), details: '1' }
const noPageFilter = unset('search frame without_frame below lang after limit')
const noScope = unset('lang theme')
const former = unset('url type default is_default name')
const frameBody = { ...unset('slug markup content dry_run bake'), ...former, html: '<p>new</p>' }

/** The rows of an endpoint of one menu: each body with the names of the menu, and the first also with a location in the query and in the body. */
function menuRows(route: string, path: Fields, first: Fields, ...others: Fields[]): FieldRow[] {
  const own = { ref: menu, ...path }
  const at = { ref: '~header', ...path }
  return [
    ...[first, ...others].map((body) => ({
      route,
      path: own,
      query: noScope,
      body: { ...body, ...noScope },
    })),
    {
      route,
      path: at,
      query: { lang, theme },
      body: { ...first, ...noScope },
      only: ['lang', 'theme'],
    },
    { route, path: at, query: noScope, body: { ...first, lang, theme }, only: ['lang', 'theme'] },
  ]
}

const newItem = {
  ...unset('page target classes xfn attr_title description type object object_id'),
  ...unset('id parent children item'),
  title: 'New',
  url: '/new/',
}

const changes = {
  ...unset('page url target classes xfn attr_title description parent'),
  title: 'New',
}

/** Every endpoint with fields. A new endpoint or field needs rows here. */
export const fieldRows: readonly FieldRow[] = [
  // Always 410, whatever it names.
  { route: 'post /frames/:ref/default', path: { ref: 'none' } },
  {
    route: 'post /frames/rebake',
    body: {
      ...unset('all menus pages languages settings'),
      dry_run: true,
      datasets: datasetList,
      frames: frameList,
    },
  },
  {
    route: 'post /frames/rebake',
    body: {
      ...unset('all menus pages languages settings dry_run'),
      datasets: datasetList,
      frames: frameList,
    },
  },
  { route: 'get /graph', query: { frame } },
  { route: 'get /pages', query: { ...noPageFilter, frame } },
  { route: 'get /pages', query: { ...noPageFilter, lang }, only: ['lang'] },
  { route: 'get /address', query: { url: '/', lang } },
  { route: 'get /pages', query: { ...noPageFilter, search: pageId }, only: ['search'] },
  { route: 'get /pages', query: { ...noPageFilter, below: page }, only: ['below'] },
  // The ids are hashes of what was found on the site itself.
  { route: 'post /findings/fix', body: { fixes: undefined, dry_run: undefined } },
  { route: 'post /changed', body: { posts: undefined, options: undefined, terms: undefined } },
  {
    route: 'get /frames',
    query: { block: frameSlug, q: undefined, include_html: '1', ...noPaging },
  },
  {
    route: 'get /frames',
    query: { block: undefined, q: frameSlug, include_html: '1', ...noPaging },
  },
  { route: 'post /frames', body: { ...frameBody, slug: spare, dry_run: true } },
  { route: 'post /frames', body: { ...frameBody, slug: UNUSED_NAME, html: markups } },
  { route: 'get /frames/:ref', path: { ref: frame }, query: { at: undefined, details: undefined } },
  {
    route: 'get /frames/:ref',
    path: { ref: frame },
    query: { at: entryText, details: undefined },
    only: ['at'],
  },
  { route: 'put /frames/:ref', path: { ref: frame }, body: { ...frameBody, html: markups } },
  {
    route: 'put /frames/:ref',
    path: { ref: frame },
    body: { ...frameBody, slug: spare, dry_run: true },
  },
  {
    route: 'patch /frames/:ref',
    path: { ref: frame },
    body: { slug: spare, dry_run: true, bake: undefined, ...former },
  },
  {
    route: 'patch /frames/:ref',
    path: { ref: frame },
    body: { slug: UNUSED_NAME, dry_run: undefined, bake: undefined, ...former },
  },
  { route: 'delete /frames/:ref', path: { ref: frame }, body: { bake: undefined } },
  {
    route: 'post /frames/:ref/assign',
    path: { ref: frame },
    body: { page, clear: undefined, bake: undefined },
  },
  {
    route: 'post /frames/:ref/assign',
    path: { ref: frame },
    body: { page, clear: true, bake: undefined },
  },
  { route: 'post /frames/:ref/rebake', path: { ref: frame } },
  { route: 'get /menus', query: { theme } },
  {
    route: 'get /menus/:ref',
    path: { ref: menu },
    query: { at: undefined, links: '1', lang: undefined, theme: undefined },
  },
  {
    route: 'get /menus/:ref',
    path: { ref: menu },
    query: { at: entryText, links: undefined, lang: undefined, theme: undefined },
    only: ['at'],
  },
  {
    route: 'get /menus/:ref/targets',
    path: { ref: menu },
    query: { search: undefined, lang, limit: undefined, theme: undefined },
  },
  { route: 'get /menus/:ref/file', path: { ref: menu } },
  { route: 'get /history', query: { ...noFilter, ref: frame } },
  { route: 'get /history', query: { ...noFilter, ref: recordedMenu } },
  ...webhookFieldRows,
  { route: 'get /changes', query: { since: undefined, wait: undefined, limit: undefined } },
  { route: 'get /history/:entry', path: { entry: entryText } },
  {
    route: 'post /batch',
    body: { requests, dry_run: undefined, bake: undefined, plan: undefined },
  },
  {
    route: 'post /preview',
    body: { ...noPreview, page, assign: frame, menus: unsavedMenus, lang },
  },
  {
    route: 'post /preview',
    body: { ...noPreview, page, assign: 'new', frames: unsavedFrames },
    only: ['frames'],
  },
  {
    route: 'post /preview',
    body: { ...noPreview, page, assign: frame, datasets: unsavedDatasets },
    only: ['datasets'],
    making: ['body.datasets'],
  },
  { route: 'post /frames/check', body: { frames: checkedFrames } },
  { route: 'post /restore', body: { ...noRestore, entry } },
  { route: 'post /restore', body: { ...noRestore, at: entry, everything: true } },
  {
    route: 'post /menus',
    body: {
      name: UNUSED_NAME,
      slug: spare,
      location: undefined,
      items: trees,
      allow_invalid: undefined,
      ...noScope,
    },
  },
  {
    route: 'post /menus',
    body: {
      name: UNUSED_NAME,
      slug: undefined,
      location: 'footer_3',
      items: trees,
      allow_invalid: true,
      lang,
      theme,
    },
    making: ['body.theme'],
  },
  ...menuRows(
    'patch /menus/:ref',
    {},
    { name: 'New', slug: undefined },
    { name: undefined, slug: spare },
  ),
  ...menuRows('delete /menus/:ref', {}, {}),
  {
    route: 'put /menus/:ref/location',
    path: { ref: menu },
    query: noScope,
    body: { location: 'footer_2', lang, theme },
    making: ['body.theme'],
  },
  {
    route: 'put /menus/:ref/location',
    path: { ref: '~header' },
    query: { lang, theme },
    body: { location: 'footer_2', ...noScope },
  },
  ...menuRows(
    'put /menus/:ref/items',
    {},
    { items: trees, allow_invalid: undefined, keep: undefined },
    { items: keptTrees, allow_invalid: undefined, keep: true },
  ),
  ...menuRows(
    'post /menus/:ref/items',
    {},
    { ...newItem, parent: item },
    { ...newItem, page, url: undefined },
    { ...newItem, type: 'post_type', object_id: pageId, url: undefined },
    { ...newItem, title: undefined, url: undefined, item: wrapped },
  ),
  ...menuRows(
    'patch /menus/:ref/items/:id',
    { id: item },
    { ...changes, page },
    { ...changes, parent: item },
  ),
  ...menuRows('delete /menus/:ref/items/:id', { id: item }, {}),
  ...menuRows(
    'post /menus/:ref/reorder',
    {},
    { order: ({ items }: NamedContent) => listed(items), parent: undefined },
    { order: below, parent: item },
  ),
  {
    route: 'get /data/:source',
    path: { source: ({ datasets }: NamedContent) => datasets.map((name) => `dataset.${name}`) },
    query: { lang },
  },
]
