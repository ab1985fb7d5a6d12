import { AppError } from '../../errors.ts'
import { type ItemTree, readTree } from '../../menus/tree.ts'

/**
 * The tree in `items`.
 * @throws AppError `bad_items` for what is no list; what is wrong in it is told with all the rest, when its pages are looked for
 */
export function itemsOf(items: unknown): ItemTree {
  if (Array.isArray(items)) return readTree(items)
  throw new AppError('bad_items', 'Send the items of the menu as a list in "items".', {
    errors: [{ at: '', reason: 'not_a_list', message: '"items" is a list of items.' }],
  })
}
