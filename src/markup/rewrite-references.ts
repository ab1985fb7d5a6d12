import { listReferences, readReference } from './insert-references.ts'
import { createMarkupReport, type MarkupReport } from './markup-report.ts'
import type { InsertNode, MarkupNode } from './nodes.ts'
import { parseMarkup } from './parse-markup.ts'
import { type JsonMember, readMembers } from './read-params.ts'

/** A text to put in the place of a part of the source. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** What makes markup name a frame otherwise: edits in their order, and how many inserts they change. */
export type Rewrite = {
  readonly edits: readonly Edit[]
  readonly replaced: number
  /** Of the rewritten markup; undefined where nothing is to be changed. */
  readonly report: MarkupReport | undefined
}

/**
 * Makes inserts that name the frame `from` name it `to` (contract, section 3, PATCH): every reference
 * that says `from` says `to`, and where the one that counts stands under an alias and the insert has
 * no `name`, its key becomes `name`. A self-closing `svc/repeat` keeps its key, which means nothing
 * else there. Only these keys and values are rewritten; no other byte changes. `from` and `to` are
 * slugs, so a reference by id is left alone.
 */
export function findRewrite(source: string, from: string, to: string): Rewrite {
  const changes = insertsOf(parseMarkup(source).nodes)
    .map((insert) => editsOf(source, insert, from, to))
    .filter((edits) => edits.length > 0)
  if (changes.length === 0) return { edits: [], replaced: 0, report: undefined }
  const edits = changes.flat()
  const report = createMarkupReport(parseMarkup(applyEdits(source, edits)))
  return { edits, replaced: changes.length, report }
}

/** The rewritten markup itself; `replaced` counts inserts. */
export function rewriteReferences(
  source: string,
  from: string,
  to: string,
): { html: string; replaced: number } {
  const { edits, replaced } = findRewrite(source, from, to)
  return { html: applyEdits(source, edits), replaced }
}

function editsOf(source: string, insert: InsertNode, from: string, to: string): Edit[] {
  const pairs = listReferences(insert)
  if (!pairs.some((pair) => pair.value === from)) return []
  const { start, end } = insert.json
  const members = readMembers(source.slice(start, end))
  const hasName = members.some((member) => member.key === 'name')
  const renamedKey =
    hasName || insert.kind === 'repeat' || pairs[0]?.value !== from ? undefined : pairs[0].key
  return members
    .filter((member) => namesFrame(member, from) && pairs.some(({ key }) => key === member.key))
    .flatMap((member) => [
      ...(member.key === renamedKey ? [{ ...member.keySpan, text: '"name"' }] : []),
      { ...member.valueSpan, text: JSON.stringify(to) },
    ])
    .map((edit) => ({ ...edit, start: start + edit.start, end: start + edit.end }))
}

function namesFrame(member: JsonMember, slug: string): boolean {
  return readReference(member.value) === slug
}

function insertsOf(nodes: readonly MarkupNode[]): InsertNode[] {
  return nodes.flatMap((node) => {
    if (node.type === 'insert') return [node, ...insertsOf(node.body?.nodes ?? [])]
    return node.type === 'element' ? insertsOf(node.content?.nodes ?? []) : []
  })
}

/** `edits` stand in the order of the source and do not touch. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  let done = 0
  const pieces = edits.map(({ start, end, text }) => {
    const kept = source.slice(done, start)
    done = end
    return kept + text
  })
  return pieces.join('') + source.slice(done)
}
