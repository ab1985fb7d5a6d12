import { listReferences, readReference } from './insert-references.ts'
import { insertOf } from './inserts/all-inserts.ts'
import { createMarkupReport, type MarkupReport } from './markup-report.ts'
import type { InsertNode, MarkupNode } from './nodes.ts'
import { parseMarkup } from './parse-markup.ts'
import { readMembers } from './read-params.ts'

/** A replacement for a part of the source. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** The new slugs of renamed frames, by their former ones. Frames may exchange their slugs. */
export type Renames = ReadonlyMap<string, string>

/** The edits that make markup name other frames, in order, and the number of inserts that they change. */
export type Rewrite = {
  readonly edits: readonly Edit[]
  readonly replaced: number
  /** The report of the rewritten markup; undefined if nothing changes. */
  readonly report: MarkupReport | undefined
}

/**
 * Finds the edits by which inserts name renamed frames by their new slugs. If the reference that takes precedence uses an alias and the insert
 * has no `name`, its key becomes `name`. A self-closing `svc/repeat` keeps its key, the only one it supports. Only these keys and values
 * change, no other byte. References by id do not change.
 */
export function findRewrite(source: string, renames: Renames): Rewrite {
  const changes = insertsOf(parseMarkup(source).nodes)
    .map((insert) => editsOf(source, insert, renames))
    .filter((edits) => edits.length > 0)
  if (changes.length === 0) return { edits: [], replaced: 0, report: undefined }
  const edits = changes.flat()
  const report = createMarkupReport(parseMarkup(applyEdits(source, edits)))
  return { edits, replaced: changes.length, report }
}

function editsOf(source: string, insert: InsertNode, renames: Renames): Edit[] {
  const pairs = listReferences(insert)
  if (!pairs.some(({ value }) => renames.has(value))) return []
  const { start, end } = insert.json
  const members = readMembers(source.slice(start, end))
  const hasName = members.some((member) => member.key === 'name')
  const mayHaveName = insertOf(insert).embeds?.keys(insert).includes('name')
  const [first] = pairs
  const isAlias = !hasName && mayHaveName && first && renames.has(first.value)
  const renamedKey = isAlias ? first.key : undefined
  return members
    .filter(({ key }) => pairs.some((pair) => pair.key === key))
    .flatMap((member) => {
      const to = renames.get(readReference(member.value) ?? '')
      if (to === undefined) return []
      const key = member.key === renamedKey ? [{ ...member.keySpan, text: '"name"' }] : []
      return [...key, { ...member.valueSpan, text: JSON.stringify(to) }]
    })
    .map((edit) => ({ ...edit, start: start + edit.start, end: start + edit.end }))
}

function insertsOf(nodes: readonly MarkupNode[]): InsertNode[] {
  return nodes.flatMap((node) => {
    if (node.type === 'insert') return [node, ...insertsOf(node.body?.nodes ?? [])]
    return node.type === 'element' ? insertsOf(node.content?.nodes ?? []) : []
  })
}

/** Applies `edits`, which are in source order and do not touch. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  let done = 0
  const pieces = edits.map(({ start, end, text }) => {
    const unchanged = source.slice(done, start)
    done = end
    return unchanged + text
  })
  return pieces.join('') + source.slice(done)
}
