import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Draft } from './draft.ts'
import type { Menu } from './locations.ts'

/** The menu in the editor. */
export type EditedMenu = {
  readonly draft: Draft
  readonly menu: Menu
  /** All menus of the site. */
  readonly listed: readonly Menu[]
  /** The language in which the menu is shown; undefined on a site without languages, and for an unassigned menu. */
  readonly lang: string | undefined
  readonly isRtl: boolean
  readonly reload: () => void
}

export const EditedMenuContext = createContext<EditedMenu | undefined>(undefined)

/** The menu in the editor. Only below the editor. */
export function useEditedMenu(): EditedMenu {
  const edited = useContext(EditedMenuContext)
  if (!edited) throw new Error('No menu is edited here.')
  return edited
}
