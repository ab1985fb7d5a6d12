import type { Tx } from '../../db/transaction.ts'
import type { ErrorCode } from '../../errors.ts'
import { ITEM_FIELDS, ignoredItemFields } from '../../menus/item-tree.ts'
import { type MenuTarget, readMenuVersion } from '../../menus/menu-target.ts'
import type { MenuWriter } from '../../menus/write-context.ts'
import type { Precondition } from '../../preconditions.ts'
import { locationIn } from '../../wordpress/nav-menus/find-menu.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { SiteWriteContext } from '../endpoint.ts'
import { fieldIgnored } from '../sent-fields.ts'

type TargetRequest = {
  readonly params: { readonly ref: string }
  readonly query: ScopeFields
  readonly body?: ScopeFields
  readonly precondition: Precondition | undefined
}

export type ScopeFields = {
  readonly lang?: string | undefined
  readonly theme?: string | undefined
}

/** The errors of `lockTarget`. */
export const TARGET_ERRORS: readonly ErrorCode[] = [
  'menu_not_found',
  'menu_not_assigned',
  'ambiguous_menu',
  'unknown_language',
  'polylang_inactive',
]

/** `lang` and `theme` choose the menu of a location; with any other reference nothing is done with them. */
export function ignoredScope({
  params,
  body,
  query,
}: {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}): string[] {
  if (locationIn(String(Object(params).ref)) !== undefined) return []
  const isSent = (name: string): boolean =>
    [body, query].some((sent) => ![undefined, null, ''].includes(Object(sent)[name]))
  return ['lang', 'theme'].filter(isSent).map((name) => fieldIgnored(name))
}

/** Warnings about the fields of items that nothing is done with. */
export const ignoredOfItems = (items: unknown): string[] =>
  ignoredItemFields(items).map((name) => fieldIgnored(name, ITEM_FIELDS))

/** The menu of `{ref}`. `lang` and `theme` of the query take precedence over those of the body. */
export function menuTarget({ params, query, body = {}, precondition }: TargetRequest): MenuTarget {
  const { ref } = params
  const lang = query.lang ?? body.lang
  const theme = query.theme ?? body.theme
  return {
    ref,
    precondition,
    ...(lang === undefined ? {} : { lang }),
    ...(theme === undefined ? {} : { theme }),
  }
}

/** The caller as the writer of a menu. */
export function writerOf({
  caller,
  rights,
}: Pick<SiteWriteContext, 'caller' | 'rights'>): MenuWriter {
  return { userId: caller.user.id, unfilteredHtml: rights.superAdmin }
}

/**
 * The version of a menu that was written. Computing it means reading the whole menu, so only a request with a precondition gets it.
 * @returns undefined without one
 */
export async function versionAfter(
  tx: Tx,
  { site, precondition }: Pick<SiteWriteContext, 'site' | 'precondition'>,
  { id }: Menu,
): Promise<string | undefined> {
  return precondition && readMenuVersion(tx, site, id)
}
