import { contentInsert } from './content-insert.ts'
import { dataInsert } from './data-insert.ts'
import { frameInsert } from './frame-insert.ts'
import type { InsertDefinition } from './insert-definition.ts'
import { langSwitcherInsert } from './lang-switcher-insert.ts'
import { menuInsert } from './menu-insert.ts'
import { repeatInsert } from './repeat-insert.ts'

export const INSERTS: readonly InsertDefinition[] = [
  frameInsert,
  menuInsert,
  repeatInsert,
  dataInsert,
  contentInsert,
  langSwitcherInsert,
]

const BY_KIND: ReadonlyMap<string, InsertDefinition> = new Map(
  INSERTS.flatMap((insert) => insert.kinds.map((kind) => [kind, insert])),
)

/** The names of all inserts after `svc/`, without aliases. */
export const INSERT_NAMES: readonly string[] = INSERTS.flatMap(({ kinds }) => kinds.slice(0, 1))

export function isInsertKind(kind: string): boolean {
  return BY_KIND.has(kind)
}

/** @throws TypeError if there is no such insert: the parser accepts none, so only a damaged copy can contain it */
export function insertOf({ kind }: { readonly kind: string }): InsertDefinition {
  const insert = BY_KIND.get(kind)
  if (!insert) throw new TypeError(`There is no insert svc/${kind}.`)
  return insert
}
