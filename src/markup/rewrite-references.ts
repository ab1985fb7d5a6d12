import type { InsertNode, MarkupNode } from './nodes.ts'
import { type JsonMember, readMembers } from './read-params.ts'
import { listReferences, readReference } from './references.ts'
import { scan } from './scan.ts'

type Edit = { readonly start: number; readonly end: number; readonly text: string }

/**
 * Makes inserts that name the frame `from` name it `to` (contract, section 3, PATCH): every reference
 * that says `from` says `to`, and where the one that counts stands under an alias and the insert has
 * no `name`, its key becomes `name`. A self-closing `svc/repeat` keeps its key, which means nothing
 * else there. Only these keys and values are rewritten; no other byte changes. `from` and `to` are
 * slugs, so a reference by id is left alone. `replaced` counts inserts.
 */
export function rewriteReferences(
  source: string,
  from: string,
  to: string,
): { html: string; replaced: number } {
  const changes = insertsOf(scan(source).nodes)
    .map((insert) => editsOf(source, insert, from, to))
    .filter((edits) => edits.length > 0)
  return { html: applyEdits(source, changes.flat()), replaced: changes.length }
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
function applyEdits(source: string, edits: readonly Edit[]): string {
  let done = 0
  const pieces = edits.map(({ start, end, text }) => {
    const kept = source.slice(done, start)
    done = end
    return kept + text
  })
  return pieces.join('') + source.slice(done)
}
