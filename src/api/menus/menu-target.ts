import { AppError } from '../../errors.ts'
import type { MenuTarget } from '../../menus/lock-target.ts'

type Scope = { readonly lang?: unknown; readonly theme?: string | undefined }

/** The menu that an address names, `{ref}`; what the query says of a location goes before what the body says. */
export function menuTarget(
  { ref = '' }: Record<string, string>,
  query: Scope,
  body: Scope = {},
): MenuTarget {
  const lang = query.lang ?? body.lang
  const theme = query.theme ?? body.theme
  return {
    ref,
    ...(lang === undefined ? {} : { lang: String(lang) }),
    ...(theme === undefined ? {} : { theme }),
  }
}

/**
 * The id in an address.
 * @throws AppError `item_not_found`
 */
export function itemIdOf({ id = '' }: Record<string, string>): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id)
  throw new AppError('item_not_found', `This menu has no item "${id}": items are named by numbers.`)
}
