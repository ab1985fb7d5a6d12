import { STRINGS_META_KEY } from '../../wordpress/languages/string-translations.ts'
import { SHOWN_NETWORK_OPTIONS } from '../seen-network.ts'
import { isShownOption, SHOWN_META_KEYS } from '../shown-content.ts'
import type { RowChange, RowImage } from './binlog-stream.ts'
import type { ChangedSites } from './changed-sites.ts'
import type { NetworkTable } from './network-tables.ts'

/** Adds a row of a table that an event names. */
export function addRow(changes: ChangedSites, table: NetworkTable, row: RowChange): void {
  switch (table.kind) {
    case 'posts':
      addPosts(changes, table.blogId, row, 'ID', POST_IS_IGNORED)
      break
    case 'postmeta':
      addPosts(changes, table.blogId, row, 'post_id', META_IS_IGNORED)
      // Polylang before 3.4 stored there what is a meta value of terms now.
      if (isAny(row, ({ meta_key }) => meta_key === STRINGS_META_KEY))
        changes.addTerms(table.blogId)
      break
    case 'term_relationships':
      addPosts(changes, table.blogId, row, 'object_id', () => false)
      break
    case 'options':
      addOptions(changes, table.blogId, row)
      break
    case 'blogs':
      addBlog(changes, row)
      break
    case 'sitemeta':
      if (isAny(row, ({ meta_key }) => NETWORK_OPTIONS.has(String(meta_key))))
        changes.addEverything()
      break
    default:
      addTable(changes, table)
  }
}

/** Adds all rows of a table: a definition or an event without row images changed it. */
export function addTable(changes: ChangedSites, table: NetworkTable): void {
  if (table.kind === 'tasks') return
  if (!('blogId' in table)) changes.addEverything()
  else if (table.kind === 'options') changes.addOption(table.blogId, undefined)
  else if (OF_POSTS.has(table.kind)) changes.addPost(table.blogId, undefined)
  else changes.addTerms(table.blogId)
}

/** Whether all rows of a table are in the changes already, so that further ones need not be read. */
export function hasWholeTable(changes: ChangedSites, table: NetworkTable): boolean {
  if (!('blogId' in table)) return false
  if (table.kind === 'options') return changes.hasAllOptions(table.blogId)
  return OF_POSTS.has(table.kind) && changes.hasAllPosts(table.blogId)
}

/** The tables whose rows belong to a post. */
const OF_POSTS: ReadonlySet<string> = new Set(['posts', 'postmeta', 'term_relationships'])

/** The options of the network (table `sitemeta`) that pages depend on. */
const NETWORK_OPTIONS: ReadonlySet<string> = new Set([...SHOWN_NETWORK_OPTIONS, 'main_site'])

/** Posts that no page can show or link. An attachment can be linked in a menu. The last ones are rooms of Gutenberg's collaboration. */
const IGNORED_POST_TYPES = new Set<unknown>([
  'revision',
  'oembed_cache',
  'customize_changeset',
  'wp_sync_storage',
])

const POST_IS_IGNORED = ({ post_type }: RowImage): boolean => IGNORED_POST_TYPES.has(post_type)
/** The editor renews its lock every fifteen seconds, and stores a collaboration every second. */
const META_IS_IGNORED = ({ meta_key }: RowImage): boolean =>
  typeof meta_key === 'string' && !SHOWN_META_KEYS.includes(meta_key)

function addPosts(
  changes: ChangedSites,
  blogId: number,
  row: RowChange,
  column: string,
  isIgnored: (image: RowImage) => boolean,
): void {
  if (!isAny(row, (image) => !isIgnored(image))) return
  for (const id of valuesOf(row, column)) changes.addPost(blogId, idOf(id))
}

/** WordPress writes transients, which no page shows, on nearly every request. */
function addOptions(changes: ChangedSites, blogId: number, row: RowChange): void {
  for (const name of valuesOf(row, 'option_name')) {
    if (typeof name !== 'string') changes.addOption(blogId, undefined)
    else if (isShownOption(name)) changes.addOption(blogId, name)
  }
}

/** WordPress stores in `last_updated` when a post of the site was published last. */
function addBlog(changes: ChangedSites, { before, after }: RowChange): void {
  const isChanged = (column: string): boolean =>
    column !== 'last_updated' && before?.[column] !== after?.[column]
  if (before && after && !Object.keys(after).some(isChanged)) return
  for (const id of valuesOf({ before, after }, 'blog_id')) {
    const blogId = idOf(id)
    if (blogId === undefined) changes.addEverything()
    else changes.addNetworkRow(blogId)
  }
}

const isAny = ({ before, after }: RowChange, test: (image: RowImage) => boolean): boolean =>
  (before !== undefined && test(before)) || (after !== undefined && test(after))

/**
 * The values of a column, before and after. With `binlog_row_image=MINIMAL`, an image contains only the key and the changed columns: a value
 * that is in neither image is null.
 */
function valuesOf({ before, after }: RowChange, column: string): Set<unknown> {
  const values = new Set([before?.[column], after?.[column]])
  if (values.size > 1) for (const missing of [undefined, null]) values.delete(missing)
  return values.size === 0 ? new Set([null]) : values
}

const idOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value ?? Number.NaN)) ? Number(value) : undefined
