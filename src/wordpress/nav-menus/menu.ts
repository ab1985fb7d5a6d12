/** A menu: a term of the taxonomy `nav_menu`. */
export type Menu = {
  /** `term_id`: what locations and maps name a menu by. */
  readonly id: number
  /** `term_taxonomy_id`: what items are related to. Differs from the id on old sites. */
  readonly termTaxonomyId: number
  /** As stored: `&`, `<` and `>` encoded; `decodeName` gives what people read. */
  readonly name: string
  readonly slug: string
  /** Published items by WordPress's own count; at 0 it shows none, whatever there is. */
  readonly count: number
}

/** The columns of a menu's term, as the reading statements select them. */
export type MenuRow = {
  readonly term_id: number
  readonly term_taxonomy_id: number
  readonly name: string
  readonly slug: string
  readonly count: number
}

export const MENU_COLUMNS = [
  't.term_id',
  'tt.term_taxonomy_id',
  't.name',
  't.slug',
  'tt.count',
] as const

/** The menu of a row. */
export function menuOf(row: MenuRow): Menu {
  return {
    id: row.term_id,
    termTaxonomyId: row.term_taxonomy_id,
    name: row.name,
    slug: row.slug,
    count: Number(row.count),
  }
}
