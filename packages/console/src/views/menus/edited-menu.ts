import { type Signal, signal, untracked } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Output } from '../../../../client/src/index.ts'
import { announce } from '../../parts/notice.tsx'
import { forget, keep, kept } from '../../unsaved.ts'
import { byKey, type Changed, isSameTree, newItem, type Tree } from './tree.ts'

/** A menu in the list of menus. */
export type Menu = Output<'listMenus'>['menus'][number]

/** The languages in which a menu is shown. */
export const langsOf = ({ assigned }: Pick<Menu, 'assigned'>): readonly string[] => [
  ...new Set(assigned.flatMap(({ lang }) => lang ?? [])),
]

/** `header (fr), footer_1 (fr)`. */
export const assignedText = ({ assigned }: Pick<Menu, 'assigned'>): string =>
  assigned.length === 0
    ? 'unassigned'
    : assigned
        .map(({ location, lang }) => (lang === null ? location : `${location} (${lang})`))
        .join(', ')

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

/** A tree with its version, as it was read. */
export type Base = { readonly tree: Tree; readonly etag: string }

/** States that can be undone. */
const MAX_UNDO = 200

type State = { readonly tree: Tree; readonly key: number | undefined; readonly merge: string }

/** The unsaved tree of a menu. */
export class Draft {
  readonly base: Base
  readonly tree: Signal<Tree>
  /** The key of the chosen item. */
  readonly chosen: Signal<number | undefined>
  readonly undoable: Signal<number> = signal(0)
  /** Somebody else has stored the menu: the unsaved tree, and what it was made from. */
  readonly conflict: Signal<Kept | undefined>
  readonly #states: State[] = []
  readonly #id: string

  /** @param id of the menu, with its site */
  constructor(id: string, base: Base) {
    this.base = base
    this.#id = id
    const mine = readKept(id)
    const isCurrent = mine?.etag === base.etag
    this.tree = signal(mine && isCurrent ? mine.tree : base.tree)
    this.conflict = signal(mine && !isCurrent ? mine : undefined)
    this.chosen = signal(this.tree.value[0]?.key)
  }

  /** The index of the chosen item; -1 for none. */
  get index(): number {
    const key = this.chosen.value
    return this.tree.value.findIndex((item) => item.key === key)
  }

  get isChanged(): boolean {
    return !isSameTree(this.tree.value, this.base.tree)
  }

  /**
   * Makes a change that can be undone.
   * @param said to users of screen readers
   * @param merge changes with the same text one after the other are undone together [each by itself]
   */
  change({ tree, index }: Changed, said: string, merge = ''): void {
    const last = this.#states.at(-1)
    if (merge === '' || last?.merge !== merge)
      this.#states.push({ tree: this.tree.value, key: this.chosen.value, merge })
    if (this.#states.length > MAX_UNDO) this.#states.shift()
    this.undoable.value = this.#states.length
    this.tree.value = tree
    this.chosen.value = tree[index]?.key ?? tree.at(-1)?.key
    if (said !== '') announce(said)
    this.#keep()
  }

  undo(): void {
    const last = this.#states.pop()
    if (!last) return
    this.undoable.value = this.#states.length
    this.tree.value = last.tree
    this.chosen.value = last.key
    announce('The last step is undone.')
    this.#keep()
  }

  /** Goes on with a tree that was made from another version: what is no longer in the menu becomes new. */
  takeOver(mine: Tree): void {
    const known = byKey(this.base.tree)
    const tree = mine.map((item) =>
      known.has(item.key) ? item : { ...item, key: newItem({}).key },
    )
    this.conflict.value = undefined
    this.change({ tree, index: 0 }, 'Your changes are in the editor.')
  }

  /** Forgets all that is not stored. */
  discard(): void {
    this.#states.length = 0
    this.undoable.value = 0
    this.conflict.value = undefined
    this.tree.value = this.base.tree
    this.chosen.value = this.base.tree[0]?.key
    this.forget()
  }

  /** Forgets what would survive a reload: it is stored, or no longer wanted. */
  forget(): void {
    forget(nameOf(this.#id))
  }

  #keep(): void {
    if (this.conflict.value) return
    const { etag, tree: base } = this.base
    const tree = this.tree.value
    if (!this.isChanged) this.forget()
    else
      keep(nameOf(this.#id), {
        etag,
        tree,
        base: tree.length > LARGE ? [] : base,
        at: Date.now(),
      } as Kept)
  }
}

/** What survives a reload. */
export type Kept = {
  readonly etag: string
  readonly tree: Tree
  /** What it was made from; empty if both together are too large. */
  readonly base: Tree
  readonly at: number
}

/** Items of a tree that is kept without what it was made from: the storage of the tab has no room for both. */
const LARGE = 3000

const nameOf = (id: string): string => `menu ${id}`

function readKept(id: string): Kept | undefined {
  const found = untracked(() => kept<Kept>(nameOf(id)))
  if (!found) return undefined
  // New items get keys that no other one has.
  const keys = new Map(
    found.tree.filter(({ key }) => key < 0).map(({ key }) => [key, newItem({}).key]),
  )
  return {
    ...found,
    tree: found.tree.map((item) => ({ ...item, key: keys.get(item.key) ?? item.key })),
  }
}

/** Whether the menu has unsaved items in this tab. @param id of the menu, with its site */
export const hasKept = (id: string): boolean => kept(nameOf(id)) !== undefined

/** What differs between two versions of a menu. */
type TreeChange = {
  readonly change: 'added' | 'removed' | 'moved' | 'edited'
  readonly title: string
}

/** What somebody has changed between two versions, by items. */
export function changesBetween(before: Tree, after: Tree): TreeChange[] {
  const [old, now] = [positionsIn(before), positionsIn(after)]
  const removed = before.filter(({ key }) => !now.has(key)).map(changeOf('removed'))
  return [
    ...removed,
    ...after.flatMap((item) => {
      const former = old.get(item.key)
      const position = now.get(item.key)
      if (!former) return [changeOf('added')(item)]
      if (JSON.stringify(former.fields) !== JSON.stringify(item.fields))
        return [changeOf('edited')(item)]
      return former.above === position?.above && former.after === position.after
        ? []
        : [changeOf('moved')(item)]
    }),
  ]
}

const changeOf =
  (change: TreeChange['change']) =>
  ({ fields, target, key }: Tree[number]): TreeChange => ({
    change,
    title: fields.title || target.title || `Item ${key}`,
  })

/** Each item with the keys of the item above it and of the one before it on its level. */
function positionsIn(tree: Tree) {
  const positions = new Map<
    number,
    { readonly fields: object; readonly above: number; readonly after: number }
  >()
  const open: { key: number; last: number }[] = [{ key: 0, last: 0 }]
  for (const { key, depth, fields } of tree) {
    open.length = Math.min(open.length, depth + 1)
    const level = open.at(-1)
    positions.set(key, { fields, above: level?.key ?? 0, after: level?.last ?? 0 })
    if (level) level.last = key
    open.push({ key, last: 0 })
  }
  return positions
}
