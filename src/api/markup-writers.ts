import { AppError } from '../errors.ts'
import type { Call } from './endpoint.ts'

type MarkupCaller = Pick<Call<unknown, unknown, unknown>, 'caller' | 'rights' | 'markupWriters'>

/**
 * Why the caller may not write markup, which may contain scripts; undefined if that is allowed. In a multisite network, WordPress gives the capability
 * `unfiltered_html` to super administrators only (map_meta_cap, capabilities.php).
 */
export function findMarkupRefusal({
  caller,
  rights,
  markupWriters,
}: MarkupCaller): AppError | undefined {
  if (caller.asked?.isUnnamed)
    return new AppError(
      'unfiltered_html_required',
      'This token is known only from the old endpoint (LEGACY_TOKENS=ask), and such tokens may not write markup, because markup may contain scripts. Ask the operator for a token of this service, or to import this one. You may still rename, assign and delete frames.',
    )
  if (markupWriters !== 'super-admins' || rights.superAdmin) return undefined
  return new AppError(
    'unfiltered_html_required',
    'Only super administrators may write markup in this network (MARKUP_WRITERS=super-admins), because markup may contain scripts. Ask a super administrator to write it. You may still rename, assign and delete frames.',
  )
}
