import type { Change } from '../change.ts'

/** What every write of a menu but its renaming changes: frames that show menus are to be built anew. */
export const MENU_CHANGE: Change = { bake: true, touched: [{ kind: 'menus' }], pages: [] }
