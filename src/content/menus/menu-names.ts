import type { Db } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError, errorOf } from '../../host/errors.ts'
import {
  MAX_NAME_LENGTH,
  menuName,
  readableMenuName,
} from '../../wordpress/formatting/menu-texts.ts'
import { sanitizeTitle } from '../../wordpress/formatting/slugs.ts'
import { percentEncodedSlug } from '../../wordpress/nav-menus/find-menu.ts'
import {
  storableMenuName,
  uniqueMenuName,
  uniqueMenuSlug,
} from '../../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { optionRow } from '../../wordpress/options/write-options.ts'
import { MAX_TEXT_BYTES } from './item-tree.ts'

/** Option of this service whose row is the site's lock for menu names and slugs. Its value counts how often the lock was taken. */
const NAMES_LOCK = 'svc_menu_names'

/** Locks the menu names and slugs of a site, with the next read, until the transaction ends. WordPress itself has no row that covers all names. */
export function lockMenuNames(tx: Tx, site: Site): void {
  const row = optionRow(tx, site, { name: NAMES_LOCK, value: '1' }, 'off')
  tx.later(
    `INSERT INTO :options: (:columns:) VALUES (:values)
      ON DUPLICATE KEY UPDATE option_value = option_value + 1`,
    { options: site.tables.options, columns: Object.keys(row), values: Object.values(row) },
  )
}

/** A unique name or slug, with a warning if it differs from the requested one. */
type ChosenName = { readonly value: string; readonly warnings: readonly string[] }

/** A menu's name as sent and as stored. */
export type SentName = { readonly sent: string; readonly stored: string }

/**
 * Sanitizes the name of a menu. Texts longer than any column are rejected first, because WordPress's filters take seconds for megabytes.
 * @throws AppError `menu_name_required` if the name is empty after sanitizing; `rest_invalid_param`
 */
export function readMenuName(name: unknown): SentName {
  const sent = typeof name === 'string' || typeof name === 'number' ? String(name) : ''
  if (Buffer.byteLength(sent) > MAX_TEXT_BYTES) throw nameTooLong(`${MAX_TEXT_BYTES} bytes`)
  const stored = menuName(sent.toWellFormed())
  if (stored === '') throw errorOf('menu_name_required', {})
  return { sent, stored }
}

/** Whether a menu has this name already, either as callers read it or as stored. */
export function isSameName(menu: Menu, { sent, stored }: SentName): boolean {
  return stored === menu.name || sent === readableMenuName(menu.name)
}

/**
 * Makes a name unique with a number in brackets, as WordPress's customizer does, and warns if that changed it. The caller has locked the
 * names.
 * @param name as stored
 * @param self id of the menu that gets the name, if it exists already
 * @throws AppError `rest_invalid_param`
 */
export async function chooseName(
  db: Db,
  site: Site,
  name: string,
  self?: number,
): Promise<ChosenName> {
  const stored = await storableMenuName(db, site, name)
  if ([...stored].length > MAX_NAME_LENGTH) throw nameTooLong(`${MAX_NAME_LENGTH} characters`)
  const value = await uniqueMenuName(db, site, stored, self)
  return { value, warnings: value === stored ? [] : ['name_changed'] }
}

/**
 * Makes a unique slug from the sent slug, or from the name if none was sent, and warns about any change. '' if neither contains a character
 * that a slug can have. The caller has locked the names.
 */
export async function chooseSlug(
  db: Db,
  site: Site,
  {
    sent,
    name,
    locale,
  }: { readonly sent: string | undefined; readonly name: string; readonly locale: string },
  self?: number,
): Promise<ChosenName> {
  const slug = sanitizeTitle(sent ?? '', locale) || sanitizeTitle(name, locale)
  const value = slug === '' ? '' : await uniqueMenuSlug(db, site, slug, self)
  const isAsSent = sent === undefined || value === sent || value === percentEncodedSlug(sent)
  return { value, warnings: value === slug && isAsSent ? [] : ['slug_changed'] }
}

function nameTooLong(most: string): AppError {
  const rule = `must have at most ${most}`
  const params = { name: rule }
  return new AppError('rest_invalid_param', `Invalid parameter(s): name. It ${rule}.`, { params })
}
