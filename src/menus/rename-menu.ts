import type { Tx } from '../db/transaction.ts'
import { type Languages, readLocale } from '../wordpress/languages/languages.ts'
import { lockMenuNames, renameMenuTerm } from '../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type MenuTarget, lockTarget } from './menu-target.ts'
import { type SentName, chooseName, chooseSlug, isSameName } from './menu-names.ts'

export type MenuRename = {
  /** Undefined leaves it. */
  readonly name: SentName | undefined
  /** As sent; undefined leaves it. */
  readonly slug: string | undefined
}

/**
 * Gives a menu another name, another slug, or both (contract, section 4.2.3). What is not named stays, the slug too, which WordPress's
 * screens make again from every name: it is how callers refer to the menu. So does what is sent as it was read. Nothing that frames show
 * changes.
 */
export async function renameMenu(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
  { name, slug }: MenuRename,
): Promise<{ readonly menu: Menu; readonly warnings: readonly string[] }> {
  await lockMenuNames(tx, site)
  const menu = await lockTarget(tx, site, languages, target)
  const newName =
    name === undefined || isSameName(menu, name)
      ? UNCHANGED
      : await chooseName(tx, site, name.stored, menu.id)
  const locale = await readLocale(tx, site)
  const newSlug =
    slug === undefined || slug === menu.slug
      ? UNCHANGED
      : await chooseSlug(tx, site, { sent: slug, name: name?.stored ?? menu.name, locale }, menu.id)
  const names = { name: newName.value ?? menu.name, slug: newSlug.value ?? menu.slug }
  return {
    menu: await renameMenuTerm(tx, site, menu, names),
    warnings: [...newName.warnings, ...newSlug.warnings],
  }
}

const UNCHANGED = { value: undefined, warnings: [] }
