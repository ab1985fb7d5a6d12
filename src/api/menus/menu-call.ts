import type { Tx } from '../../db/transaction.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { type MenuTarget, readMenuVersion } from '../../menus/menu-target.ts'
import type { Precondition } from '../../preconditions.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Call } from '../endpoint.ts'

type TargetRequest = {
  readonly params: { readonly ref: string }
  readonly query: ScopeFields
  readonly body?: ScopeFields
  readonly precondition: Precondition | undefined
}

type ScopeFields = { readonly lang?: unknown; readonly theme?: string | undefined }

/** What can be wrong with a target: `lockTarget` finds it. */
export const TARGET_ERRORS: readonly ErrorCode[] = [
  'menu_not_found',
  'menu_not_assigned',
  'ambiguous_menu',
  'unknown_language',
  'polylang_inactive',
]

/** The menu that an address names, `{ref}`; what the query says of a location goes before what the body says. */
export function menuTarget({ params, query, body = {}, precondition }: TargetRequest): MenuTarget {
  const { ref } = params
  const lang = query.lang ?? body.lang
  const theme = query.theme ?? body.theme
  return {
    ref,
    precondition,
    ...(lang === undefined ? {} : { lang: String(lang) }),
    ...(theme === undefined ? {} : { theme }),
  }
}

/**
 * The id in an address.
 * @throws AppError `item_not_found`
 */
export function itemIdOf({ id }: { readonly id: string }): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id)
  throw new AppError('item_not_found', `This menu has no item "${id}": items are named by numbers.`)
}

type MenuCall = Pick<Call<unknown, unknown, unknown>, 'db' | 'site' | 'precondition' | 'setEtag'>

/**
 * Runs a write of a menu, and tells the version that it leaves to callers who sent one: it is made of the whole tree, which is read for
 * nobody else.
 */
export async function runMenuWrite<Written extends { readonly menu: Menu }>(
  { db, site, precondition, setEtag }: MenuCall,
  write: (tx: Tx) => Promise<Written>,
): Promise<Written> {
  const { written, version } = await db.write({ site }, async (tx) => {
    const written = await write(tx)
    return { written, version: precondition && (await readMenuVersion(tx, site, written.menu.id)) }
  })
  setEtag(version)
  return written
}
