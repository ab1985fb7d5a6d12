import { AppError } from '../errors.ts'
import { assertTree } from './assert-tree.ts'
import type { ResolvedTree } from './resolve-tree.ts'

/** Where the one item stands in what was sent. */
export const SINGLE_ITEM_AT = '0'

/**
 * Refuses a single item of which not all can be written, in the codes of single items; what stands below it is a tree.
 * @throws AppError `item_target_required`, `page_not_found`, `ambiguous_page` with `candidates`, and what `assertTree` throws
 */
export function assertSingleItem(resolved: ResolvedTree): void {
  const bad = resolved.bad.find(({ at }) => at === SINGLE_ITEM_AT)
  if (bad && TARGET_REASONS.has(bad.reason)) throw new AppError('item_target_required', bad.message)
  const unresolved = resolved.unresolved.find(({ at }) => at === SINGLE_ITEM_AT)
  if (unresolved && 'page' in unresolved && resolved.bad.length === 0) {
    const { reason, message, page, candidates } = unresolved
    throw new AppError(reason, message, { page, ...(candidates ? { candidates } : {}) })
  }
  assertTree(resolved, { allowInvalid: false })
}

/** What keeps an item from leading anywhere. */
const TARGET_REASONS = new Set(['not_an_item', 'target_required', 'bad_page', 'bad_url'])
