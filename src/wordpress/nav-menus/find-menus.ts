import type { Db } from '../../db/database.ts'
import { menuName } from '../formatting/menu-texts.ts'
import type { Site } from '../network/site.ts'
import { MENU_COLUMNS, type Menu, type MenuRow, menuOf } from './menu.ts'

/**
 * The menus that a reference names (decisions, section 9): digits are an id, then a slug, then a name; other text is a slug, then a
 * name. Names are compared as stored and by the column's collation, as WordPress compares them (wp_get_nav_menu_object, nav-menu.php), so
 * that `menu` and `MENÜ` are one name; where that makes several of them, the one that is spelled so is meant. Names with characters of four
 * bytes must be spelled so: a utf8mb3 column refuses the comparison.
 */
export async function findMenus(db: Db, site: Site, ref: string | number): Promise<Menu[]> {
  const text = String(ref)
  const name = menuName(text)
  const { terms, termTaxonomy } = site.tables
  const rows: (MenuRow & { same_name: number })[] = await db
    .sql({ t: terms })
    .join({ tt: termTaxonomy }, 'tt.term_id', 't.term_id')
    .where('tt.taxonomy', 'nav_menu')
    .orderBy('t.term_id')
    .select(...MENU_COLUMNS)
    .select({
      same_name: FOUR_BYTE_CHARACTER.test(name)
        ? db.sql.raw('0')
        : db.sql.raw('?? = ?', ['t.name', name]),
    })
  const slug = percentEncodedSlug(text)
  const tests: ((row: (typeof rows)[number]) => boolean)[] = [
    (row) => /^\d+$/.test(text) && row.term_id === Number(text),
    (row) => row.slug === slug,
    (row) => row.name === name,
    (row) => row.same_name === 1,
  ]
  for (const test of tests) {
    const found = rows.filter(test)
    if (found.length > 0) return found.map(menuOf)
  }
  return []
}

const FOUR_BYTE_CHARACTER = /[\u{10000}-\u{10ffff}]/u

/** A slug as it is stored, given as people read it or as it stands. */
function percentEncodedSlug(text: string): string {
  if (/%[0-9a-f]{2}/.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replace(/%[0-9A-F]{2}/g, (hex) =>
    hex.toLowerCase(),
  )
}
