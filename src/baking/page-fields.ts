/** The names that `page.*` answers to. */
export const PAGE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'title',
  'url',
  'slug',
  'path',
  'lang',
  'date',
  'modified',
  'parent',
  // Those below take a statement each.
  'content',
  'excerpt',
  'ancestors',
  'children',
  'translations',
])
