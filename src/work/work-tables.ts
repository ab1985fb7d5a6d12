import type { GlobalTables } from '../wordpress/network/site.ts'

/** The work table: one row for each thing that was touched and is not built yet. */
export const workTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_work`

export { sitesTable } from '../wordpress/network/network-version.ts'

/**
 * What a row of the work table asks for. `frame` (id): bake the frame and publish its pages. `embeds` (id or slug): do so for the frames that
 * embed it. `outdated` (a `Touched` other than a frame, `dataset:news`): bake the frames that show it, and publish the pages whose copies were
 * made of another baked copy. `menus`, `pages`, `languages`, `settings`, `dataset` (name): for the frames that show these. `all`: for all frames. `copies`: remove the
 * copies that their pages no longer have. `page` (id): publish or remove the copy of one page.
 */
export const WORK_KINDS = [
  'frame',
  'embeds',
  'outdated',
  'menus',
  'pages',
  'languages',
  'settings',
  'dataset',
  'all',
  'copies',
  'page',
] as const

export type WorkKind = (typeof WORK_KINDS)[number]

/** One thing that was touched. `name` is '' for kinds of which a site has only one. */
export type Work = { readonly kind: WorkKind; readonly name: string }
