import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { menuName, readableMenuName } from '../wordpress/formatting/menu-texts.ts'
import { sanitizeTitle } from '../wordpress/formatting/slugs.ts'
import {
  MAX_NAME_LENGTH,
  storableMenuName,
  uniqueMenuName,
  uniqueMenuSlug,
} from '../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { MAX_TEXT_BYTES } from './item-tree.ts'

/** A name or a slug that a menu may bear, and what became of the one that was asked for. */
export type ChosenName = { readonly value: string; readonly warnings: readonly string[] }

/** A menu's name as it was sent, and as it is stored. */
export type SentName = { readonly sent: string; readonly stored: string }

/**
 * The name of a menu that was sent. WordPress's filters take seconds over megabytes: a text that no column holds does not
 * reach them.
 * @throws AppError `menu_name_required` where nothing is left of it; `rest_invalid_param` where it is too long
 */
export function readMenuName(name: unknown): SentName {
  const sent = typeof name === 'string' || typeof name === 'number' ? String(name) : ''
  if (Buffer.byteLength(sent) > MAX_TEXT_BYTES) {
    throw tooLong(`must have at most ${MAX_TEXT_BYTES} bytes`)
  }
  const stored = menuName(sent.toWellFormed())
  if (stored === '') {
    throw new AppError('menu_name_required', 'A menu needs a name. Send it as a text in "name".')
  }
  return { sent, stored }
}

/** Whether a menu is called so already, as callers read it or as it is stored. */
export function isSameName(menu: Menu, { sent, stored }: SentName): boolean {
  return stored === menu.name || sent === readableMenuName(menu.name)
}

/**
 * The name, made unique by a number in brackets as WordPress's customizer does it, which is a warning. The caller holds the names.
 * @param name as stored
 * @param self id of the menu that is to bear it, where there is one already
 * @throws AppError `rest_invalid_param` where it is too long
 */
export async function chooseName(
  db: Db,
  site: Site,
  name: string,
  self?: number,
): Promise<ChosenName> {
  const stored = await storableMenuName(db, site, name)
  if ([...stored].length > MAX_NAME_LENGTH) {
    throw tooLong(`must have at most ${MAX_NAME_LENGTH} characters`)
  }
  const value = await uniqueMenuName(db, site, stored, self)
  return { value, warnings: value === stored ? [] : ['name_changed'] }
}

const tooLong = (rule: string): AppError =>
  new AppError('rest_invalid_param', `Invalid parameter(s): name. It ${rule}.`, {
    params: { name: rule },
  })

/**
 * The slug of what was sent, else of the name, made unique by a number; any change is a warning. '' where neither leaves one. The caller
 * holds the names.
 * @param sent as it was sent
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
  const isAsSent = sent === undefined || value === sent || value === percentEncoded(sent)
  return { value, warnings: value === slug && isAsSent ? [] : ['slug_changed'] }
}

/** As slugs are stored: what is not Latin is percent-encoded. */
function percentEncoded(slug: string): string {
  return encodeURIComponent(slug.toWellFormed()).replace(/%[0-9A-F]{2}/g, (hex) =>
    hex.toLowerCase(),
  )
}
