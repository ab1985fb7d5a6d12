import {
  type BrokenReason,
  type Content,
  type ElementNode,
  type InsertNode,
  MAX_BOUND_ATTRIBUTES,
  MAX_NESTING,
  type Markup,
  type MarkupNode,
  type MarkupProblem,
  type MarkupProblemCode,
  type OpenTag,
  REPORTED_PREFIX,
  type Span,
} from './nodes.ts'
import { parseBinds } from './parse-binds.ts'
import { findInsertFault, Locator } from './problems.ts'
import type { InsertMark } from './read-insert.ts'
import { type CloseMark, type Mark, type Marks, type OpenMark, readMarks } from './read-marks.ts'

const LIKE_AN_INSERT = /<!--\s*\/?svc\/[^>]*>?/g

/**
 * Parses the markup of a frame. Every string is valid input: nothing is thrown, and problems are listed in
 * `problems`. The report, the rename, the dependency graph and the bake all use this tree.
 */
export function parseMarkup(source: string): Markup {
  const read = readMarks(source)
  const { nodes, problems } = buildTree(source, read.marks)
  return {
    source,
    nodes,
    hasDoctype: read.hasDoctype,
    hasBody: read.hasBody,
    problems: [...problems, ...findInsertsInText(source, read)],
  }
}

/** Text that looks like an insert at a position where HTML allows no comment, so that it stays text. */
function findInsertsInText(source: string, { marks }: Marks): MarkupProblem[] {
  const inserts = new Set(marks.filter((mark) => mark.type === 'insert').map((mark) => mark.start))
  return [...source.matchAll(LIKE_AN_INSERT)]
    .filter((match) => !inserts.has(match.index))
    .map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      code: 'insert_is_text',
      message:
        'This insert is treated as text: it is inside an attribute, another comment or a ' +
        'text-only element, or it does not end with /-->.',
    }))
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type OpenContent = Mutable<Omit<Content, 'nodes'>> & { nodes: MarkupNode[] }

/** A node whose end is not reached yet. `tag` is null for a repeat. */
type Container = {
  readonly node: Mutable<InsertNode | ElementNode>
  readonly content: OpenContent
  readonly tag: OpenTag | null
  /** Its end tag was inside a repeat that begins in it: it ends with that repeat. */
  isOver: boolean
}

const BROKEN: Readonly<Record<BrokenReason, MarkupProblemCode>> = {
  unknown_kind: 'unknown_insert',
  unreadable: 'unreadable_insert',
  unpaired: 'unpaired_insert',
  too_deep: 'too_deep',
}

const MAY_LACK_END_TAG =
  /^(?:body|caption|colgroup|dd|dt|head|html|li|optgroup|option|p|rp|rt|tbody|td|tfoot|th|thead|tr)$/

/**
 * Builds the tree from a source's marks. Comments take precedence over tags: a repeat spans from its comment to its closing comment,
 * whatever tags are between them. A bound element with one end inside a repeat and the other outside is cut at the repeat's edge, with a
 * warning.
 */
function buildTree(
  source: string,
  marks: readonly Mark[],
): { nodes: MarkupNode[]; problems: MarkupProblem[] } {
  const nesting = new TreeBuilder(source, marks)
  for (const mark of marks) nesting.take(mark)
  nesting.copyUpTo(source.length)
  return nesting
}

class TreeBuilder {
  readonly nodes: MarkupNode[] = []
  readonly problems: MarkupProblem[] = []
  readonly #locator: Locator
  readonly #closings: Map<InsertMark, InsertMark>
  readonly #paired: Set<InsertMark>
  readonly #open: Container[] = []
  /** The source up to this offset is in the tree. */
  #cursor = 0

  constructor(source: string, marks: readonly Mark[]) {
    this.#locator = new Locator(source)
    this.#closings = pairRepeats(marks)
    this.#paired = new Set(this.#closings.values())
  }

  take(mark: Mark): void {
    if (mark.type === 'close') {
      this.#endElement(mark)
      return
    }
    const { start } = mark.type === 'open' ? mark.tag : mark
    // Inside a broken repeat.
    if (start < this.#cursor) return
    if (mark.type === 'open') this.#takeElement(mark)
    else if (this.#paired.has(mark)) this.#endRepeat(mark)
    else this.#takeInsert(mark)
  }

  copyUpTo(end: number): void {
    if (end > this.#cursor) this.#append({ type: 'text', start: this.#cursor, end })
    this.#cursor = end
  }

  #takeInsert(mark: InsertMark): void {
    const { start, end, kind, params, json } = mark
    const isPaired = this.#closings.has(mark)
    const fault = findInsertFault(mark, isPaired)
    this.copyUpTo(start)
    if (fault !== undefined) this.#takeBroken(mark, fault.reason, fault.message)
    else if (isPaired && this.#open.length >= MAX_NESTING) {
      const message = `This svc/repeat is nested more than ${MAX_NESTING} levels deep; it prints nothing.`
      this.#takeBroken(mark, 'too_deep', message)
    } else if (kind !== null && params !== null) {
      if (mark.form === 'opening' && !isPaired) {
        this.#report(mark, 'unfinished_insert', `End this svc/${kind} with /-->.`)
      }
      const body = isPaired ? { start: end, end, nodes: [] } : null
      const location = this.#locator.locate(start)
      const node: InsertNode = { type: 'insert', start, end, ...location, kind, params, json, body }
      this.#enter(node, body, null)
    }
  }

  #takeBroken(mark: InsertMark, reason: BrokenReason, message: string): void {
    const { start } = mark
    const end = this.#closings.get(mark)?.end ?? mark.end
    const location = this.#locator.locate(start)
    this.#append({
      type: 'broken',
      start,
      end,
      ...location,
      name: `${REPORTED_PREFIX}${mark.name}`,
      reason,
    })
    this.#report(mark, BROKEN[reason], message)
    this.#cursor = end
  }

  #endRepeat(mark: InsertMark): void {
    for (let tag = this.#open.at(-1)?.tag; tag != null; tag = this.#open.at(-1)?.tag) {
      this.#report(
        tag,
        'unclosed_element',
        `This bound <${tag.name}> is not closed inside the repeat in which it begins.`,
      )
      this.#leave(mark.start, mark.start)
    }
    this.#leave(mark.start, mark.end)
    while (this.#open.at(-1)?.isOver) this.#leave(mark.end, mark.end)
  }

  #takeElement({ tag, written, hasContent }: OpenMark): void {
    if (this.#open.length >= MAX_NESTING) {
      const message = `This bound <${tag.name}> is nested more than ${MAX_NESTING} levels deep; it is not bound.`
      this.#report(tag, 'too_deep', message)
      return
    }
    if (tag.attributes.length > MAX_BOUND_ATTRIBUTES) {
      const message = `This <${tag.name}> has ${tag.attributes.length} attributes; with more than ${MAX_BOUND_ATTRIBUTES} it is not bound.`
      this.#report(tag, 'too_deep', message)
      return
    }
    const { start, end } = tag
    const binds = parseBinds(written, tag.name, hasContent)
    for (const bind of binds)
      if (bind.kind === 'refused') this.#report(tag, 'refused_bind', bind.message)
    this.copyUpTo(start)
    const content = hasContent ? { start: end, end, nodes: [] } : null
    const location = this.#locator.locate(start)
    this.#enter({ type: 'element', start, end, ...location, tag, binds, content }, content, tag)
  }

  #endElement(mark: CloseMark): void {
    const container = this.#open.findLast(({ tag }) => tag === mark.tag)
    if (container === undefined) return
    const { name } = mark.tag
    if (container !== this.#open.at(-1)) {
      const message = `This bound <${name}> is closed inside a repeat that begins in it.`
      this.#report(mark.tag, 'unclosed_element', message)
      container.isOver = true
      return
    }
    if (!mark.explicit && !MAY_LACK_END_TAG.test(name)) {
      this.#report(mark.tag, 'unclosed_element', `This bound <${name}> has no end tag.`)
    }
    // The end tag may be inside a broken repeat.
    this.#leave(Math.max(mark.contentEnd, this.#cursor), Math.max(mark.end, this.#cursor))
  }

  /** Appends a node whose first delimiter was read; a node with content stays open. */
  #enter(node: InsertNode | ElementNode, content: OpenContent | null, tag: OpenTag | null): void {
    this.#append(node)
    if (content !== null) this.#open.push({ node, content, tag, isOver: false })
    this.#cursor = node.end
  }

  #leave(contentEnd: number, end: number): void {
    this.copyUpTo(contentEnd)
    const container = this.#open.pop()
    if (container === undefined) return
    container.content.end = contentEnd
    container.node.end = end
    this.#cursor = end
  }

  #append(node: MarkupNode): void {
    const siblings = this.#open.at(-1)?.content.nodes ?? this.nodes
    siblings.push(node)
  }

  #report({ start, end }: Span, code: MarkupProblemCode, message: string): void {
    this.problems.push({ start, end, code, message })
  }
}

/** Maps each `svc/repeat` to its closing comment, which closes the innermost open repeat. */
function pairRepeats(marks: readonly Mark[]): Map<InsertMark, InsertMark> {
  const pairs = new Map<InsertMark, InsertMark>()
  const open: InsertMark[] = []
  for (const mark of marks) {
    if (mark.type !== 'insert' || mark.kind !== 'repeat') continue
    if (mark.form === 'opening') open.push(mark)
    const opening = mark.form === 'closing' ? open.pop() : undefined
    if (opening !== undefined) pairs.set(opening, mark)
  }
  return pairs
}
