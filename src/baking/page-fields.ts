/** The names that `page.*` answers to. */
export const PAGE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'title',
  'url',
  'slug',
  'path',
  'lang',
  'content',
  'excerpt',
  'date',
  'modified',
  'parent',
  'children',
  'translations',
])
