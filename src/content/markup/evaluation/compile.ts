import { listReferences } from '../insert-references.ts'
import { insertOf } from '../inserts/all-inserts.ts'
import { REFERENCE_KEYS } from '../inserts/insert-definition.ts'
import type {
  Attribute,
  ElementNode,
  Markup,
  MarkupNode,
  MarkupProblemCode,
  OpenTag,
  Params,
} from '../nodes.ts'
import type { Bind } from '../parse-binds.ts'
import { describeProblems, locateProblems } from '../problems.ts'
import {
  type BoundAttribute,
  type BoundContent,
  type BoundElement,
  type BoundPath,
  type Condition,
  type Insert,
  type Instruction,
  type Program,
  sourceName,
} from './program.ts'

/** Compiled markup of a frame, and its facts for reports. */
export type CompiledMarkup = { readonly program: Program; readonly facts: MarkupFacts }

/** What a bake reports about the frame's own markup, in addition to its meta. */
export type MarkupFacts = {
  readonly unknown_inserts: readonly string[]
  /** Elements with binds. */
  readonly bind_tags: number
  /** Sources of repeats, without duplicates. */
  readonly repeats: readonly string[]
  /** Inserts that print nothing because of how they are written: the first ones, as warnings describe them. Copies of older programs have none. */
  readonly broken_inserts?: readonly string[]
}

export function compileMarkup(markup: Markup): CompiledMarkup {
  return { program: compile(markup), facts: factsOf(markup) }
}

/** Characters of a bind in reports; longer ones are cut. */
const MAX_QUOTED_LENGTH = 200

/** Compiles parsed markup. Text outside inserts and bound elements is copied byte for byte. */
function compile({ source, nodes }: Pick<Markup, 'source' | 'nodes'>): Program {
  const program: Instruction[] = []
  for (const node of nodes) {
    if (node.type === 'text') program.push(source.slice(node.start, node.end))
    else if (node.type === 'insert') program.push(compileInsert(source, node))
    else if (node.type === 'element') program.push(compileElement(source, node))
  }
  return program
}

function compileInsert(source: string, node: Extract<MarkupNode, { type: 'insert' }>): Insert {
  const { kind, params, line, column } = node
  const { embeds, path } = insertOf(node)
  return {
    op: 'insert',
    kind,
    params: embeds?.passesProps ? propsOf(params) : params,
    path: path(params) ?? null,
    ref: listReferences(node)[0]?.value ?? '',
    body: node.body && compile({ source, nodes: node.body.nodes }),
    at: { line, column },
  }
}

/** The parameters that do not name the frame. */
function propsOf(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([key]) => !REFERENCE_KEY_SET.has(key)))
}

const REFERENCE_KEY_SET: ReadonlySet<string> = new Set(REFERENCE_KEYS)

function compileElement(source: string, node: ElementNode): BoundElement {
  const { tag, binds, line, column } = node
  const at = { line, column }
  const conditions: Condition[] = []
  const byName = new Map(tag.attributes.map((attribute) => [attribute.name, attribute]))
  const attributes: TagEdit[] = []
  const refused: { written: string; reason: 'unknown_name' | 'not_allowed' }[] = []
  let content: BoundContent | null = null
  for (const bind of binds) {
    const written = bind.written.slice(0, MAX_QUOTED_LENGTH)
    if (bind.kind === 'refused') {
      refused.push({ written, reason: bind.reason })
      continue
    }
    const bound: BoundPath = { path: bind.path, written, at }
    if (bind.kind === 'if') conditions.push(bind.isNegated ? { ...bound, isNegated: true } : bound)
    else if (bind.kind === 'attribute')
      attributes.push(cutAttribute(source, tag, byName.get(bind.attribute), bind, bound))
    else content = { op: 'content', ...bound, html: bind.kind === 'html' }
  }
  return {
    op: 'element',
    open: compileOpenTag(source, node, attributes),
    conditions: { op: 'if', all: conditions },
    content,
    body: node.content ? compile({ source, nodes: node.content.nodes }) : [],
    close: source.slice(node.content ? node.content.end : tag.end, node.end),
    refused,
    at,
  }
}

/** Replaces a range of the source in an open tag. */
type TagEdit = { readonly start: number; readonly end: number; readonly part: BoundAttribute | '' }

/** A bound attribute replaces the existing attribute of that name, or is appended. */
function cutAttribute(
  source: string,
  tag: OpenTag,
  existing: Attribute | undefined,
  { attribute: name }: Extract<Bind, { kind: 'attribute' }>,
  bound: BoundPath,
): TagEdit {
  const { start, end } = existing ?? { start: tag.addAt, end: tag.addAt }
  const prefix = existing ? `${source.slice(start, start + name.length)}=` : ` ${name}=`
  const otherwise = source.slice(start, end)
  return { start, end, part: { op: 'attribute', ...bound, name, prefix, otherwise } }
}

/** Splits the open tag into text (without the bind attribute) and bound attributes. */
function compileOpenTag(
  source: string,
  { tag }: ElementNode,
  attributes: readonly TagEdit[],
): (string | BoundAttribute)[] {
  const cuts: TagEdit[] = [{ ...tag.bindSpan, part: '' }, ...attributes]
  if (cuts.length > 1) cuts.sort((a, b) => a.start - b.start || a.end - b.end)
  const parts: (string | BoundAttribute)[] = []
  let at = tag.start
  for (const { start, end, part } of cuts) {
    parts.push(source.slice(at, start), part)
    at = end
  }
  parts.push(source.slice(at, tag.end))
  return parts.filter((part) => part !== '')
}

/** Broken inserts that facts list. */
export const MAX_BROKEN_INSERTS = 20
const BROKEN: readonly MarkupProblemCode[] = [
  'unknown_insert',
  'unreadable_insert',
  'unpaired_insert',
]

function factsOf({ source, nodes, problems }: Markup): MarkupFacts {
  const unknown = new Set<string>()
  const repeats = new Set<string>()
  let bindTags = 0
  const collect = (node: MarkupNode): void => {
    if (node.type === 'broken' && node.reason === 'unknown_kind') unknown.add(node.name)
    if (node.type === 'insert') {
      if (node.kind === 'repeat') repeats.add(sourceName(node.params))
      node.body?.nodes.forEach(collect)
    }
    if (node.type === 'element') {
      bindTags += 1
      node.content?.nodes.forEach(collect)
    }
  }
  nodes.forEach(collect)
  const located = locateProblems(
    source,
    problems.filter(({ code }) => BROKEN.includes(code)),
  ).slice(0, MAX_BROKEN_INSERTS)
  return {
    unknown_inserts: [...unknown],
    bind_tags: bindTags,
    repeats: [...repeats],
    broken_inserts: describeProblems(located, located.length),
  }
}
