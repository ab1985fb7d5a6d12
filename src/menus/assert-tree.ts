import { AppError } from '../errors.ts'
import type { ResolvedTree } from './resolve-tree.ts'

/**
 * Refuses a tree of which not all can be written, telling all that is wrong at once. What is not published may be left out.
 * @throws AppError `bad_items` and `menu_items_unresolved` with `errors`, `menu_items_invalid`, each with `invalid` where there is some
 */
export function assertTree(
  { bad, unresolved, invalid }: ResolvedTree,
  { allowInvalid }: { readonly allowInvalid: boolean },
): void {
  const errors = [...bad, ...unresolved].sort((a, b) => compareCoordinates(a.at, b.at))
  const fields = { errors, ...(allowInvalid || invalid.length === 0 ? {} : { invalid }) }
  if (bad.length > 0) {
    throw new AppError(
      'bad_items',
      'Nothing was written: these are not the items of a menu. See errors for what is wrong, and where.',
      fields,
    )
  }
  if (unresolved.length > 0) {
    throw new AppError(
      'menu_items_unresolved',
      'Nothing was written: some items name a page that this site has not, or several. See errors.',
      fields,
    )
  }
  if (invalid.length > 0 && !allowInvalid) {
    throw new AppError(
      'menu_items_invalid',
      'Nothing was written: some items link a page that is not published. Publish it, or send allow_invalid to leave them out.',
      { invalid },
    )
  }
}

/** The order in which items were sent. */
function compareCoordinates(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  const fork = left.findIndex((index, level) => index !== right[level])
  return fork < 0 ? left.length - right.length : (left[fork] ?? 0) - (right[fork] ?? -1)
}
