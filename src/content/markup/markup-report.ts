import { listReferences, type ReferencePair } from './insert-references.ts'
import { insertOf } from './inserts/all-inserts.ts'
import {
  type ElementNode,
  type InsertNode,
  type Markup,
  type MarkupNode,
  type MarkupProblem,
  REPORTED_PREFIX,
  type SourceLocation,
} from './nodes.ts'
import { findOddCharacters } from './odd-characters.ts'
import { describeProblems, type LocatedProblem, locateProblems } from './problems.ts'
import { findSourceName, type Path } from './value-path.ts'

/**
 * The markup report, with the field names of the API, as far as the markup alone determines it: the caller resolves
 * `references` to `frame_refs` and `frame_refs_missing`, and adds the live reasons of embedded frames.
 */
export type MarkupReport = {
  /** The number of inserts by kind (`op/menu`), sorted by kind. Broken inserts are not counted. */
  readonly inserts: Readonly<Record<string, number>>
  readonly inserts_total: number
  /** Sorted: `menu.header`, `page.url`. Values that `item.*` and `props.*` read are reported where they are passed on. */
  readonly sources: readonly string[]
  /** Slugs and ids of embedded frames as they are written, without duplicates, in order of appearance. */
  readonly references: readonly string[]
  readonly aliases: readonly FrameAliases[]
  readonly binds: number
  readonly renders_on_request: boolean
  /** In order of appearance: `page.title`, `svc/content`, `svc/lang-switcher`, `svc/menu current`. */
  readonly live_reasons: readonly string[]
  readonly has_doctype: boolean
  readonly has_body: boolean
  readonly warnings: readonly string[]
  /** What `warnings` says, for programs. */
  readonly problems: readonly LocatedProblem[]
  /** What only the site can tell to exist, each at its first position, in source order; the first `MAX_NAMES`. */
  readonly names: readonly NameInMarkup[]
}

/** A frame, a location of a menu, a menu, or a value path that the markup names. */
export type NameInMarkup = SourceLocation & {
  readonly kind: 'frame' | 'location' | 'menu' | 'value'
  readonly name: string
}

/** Hostile markup can name a hundred thousand things. */
export const MAX_NAMES = 500

/** The first insert that names a frame by these different values. Only the site's registry can tell whether they name the same frame. */
export type FrameAliases = SourceLocation & { readonly pairs: readonly ReferencePair[] }

type Findings = {
  readonly counts: Map<string, number>
  readonly sources: Set<string>
  readonly references: Set<string>
  /** By their values, as JSON. */
  readonly aliases: Map<string, FrameAliases>
  readonly reasons: Set<string>
  readonly problems: MarkupProblem[]
  /** By kind and name. */
  readonly names: Map<string, NameInMarkup>
  binds: number
}

/** Builds the report from the tree of a frame's markup. Nothing is rendered. */
export function createMarkupReport(markup: Markup): MarkupReport {
  const findings: Findings = {
    counts: new Map(),
    sources: new Set(),
    references: new Set(),
    aliases: new Map(),
    reasons: new Set(),
    problems: [...markup.problems, ...findOddCharacters(markup.source)],
    names: new Map(),
    binds: 0,
  }
  analyzeNodes(markup.nodes, findings)
  const problems = locateProblems(markup.source, findings.problems)
  const counts = [...findings.counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    inserts: Object.fromEntries(counts),
    inserts_total: counts.reduce((total, [, count]) => total + count, 0),
    sources: [...findings.sources].sort(),
    references: [...findings.references],
    aliases: [...findings.aliases.values()],
    binds: findings.binds,
    renders_on_request: findings.reasons.size > 0,
    live_reasons: [...findings.reasons],
    has_doctype: markup.hasDoctype,
    has_body: markup.hasBody,
    warnings: describeProblems(problems, findings.problems.length),
    problems,
    names: [...findings.names.values()],
  }
}

function analyzeNodes(nodes: readonly MarkupNode[], findings: Findings): void {
  for (const node of nodes) {
    if (node.type === 'insert') analyzeInsert(node, findings)
    if (node.type === 'element') analyzeElement(node, findings)
  }
}

function analyzeInsert(insert: InsertNode, findings: Findings): void {
  const { kind, params, start, end, line, column, body } = insert
  const definition = insertOf(insert)
  const name = `${REPORTED_PREFIX}${kind}`
  findings.counts.set(name, (findings.counts.get(name) ?? 0) + 1)
  const pairs = listReferences(insert)
  if (pairs[0] !== undefined) findings.references.add(pairs[0].value)
  const values = [...new Set(pairs.map(({ value }) => value))]
  if (values.length > 1) {
    const key = JSON.stringify(values)
    if (!findings.aliases.has(key)) findings.aliases.set(key, { pairs, line, column })
  }
  const path = definition.path(params)
  if (pairs[0] !== undefined)
    recordName({ kind: 'frame', name: pairs[0].value, line, column }, findings)
  const menu = definition.menu?.(params)
  if (menu !== undefined) recordName({ kind: 'menu', name: menu, line, column }, findings)
  else if (path) recordValue(path, insert, findings)
  recordPath(path, findings, definition.liveReason(params))
  const message = definition.missingInput(insert, { path, hasReference: pairs.length > 0 })
  if (message !== undefined)
    findings.problems.push({ start, end, code: 'insert_without_input', message })
  if (body !== null) analyzeNodes(body.nodes, findings)
}

function analyzeElement(element: ElementNode, findings: Findings): void {
  const { binds, content } = element
  findings.binds += binds.length
  for (const bind of binds) {
    if (bind.kind === 'refused') continue
    recordPath(bind.path, findings)
    recordValue(bind.path, element, findings)
  }
  if (content !== null) analyzeNodes(content.nodes, findings)
}

function recordName(name: NameInMarkup, { names }: Findings): void {
  const key = `${name.kind} ${name.name}`
  if (names.size < MAX_NAMES && !names.has(key)) names.set(key, name)
}

/** `menu.header` is a location, whether an insert or a bind names it. `item.*` and `props.*` are what surrounds the frame. */
function recordValue(
  { root, keys, text }: Path,
  { line, column }: SourceLocation,
  findings: Findings,
): void {
  if (root === 'item' || root === 'props') return
  const isLocation = root === 'menu'
  const kind = isLocation ? 'location' : 'value'
  recordName({ kind, name: isLocation ? (keys[0] ?? '') : text, line, column }, findings)
}

/** @param liveReason the reason to report [the path, if it is one of the page] */
function recordPath(path: Path | undefined, findings: Findings, liveReason?: string): void {
  const source = path && findSourceName(path)
  if (source !== undefined) findings.sources.add(source)
  const reason = liveReason ?? (path?.root === 'page' ? path.text : undefined)
  if (reason !== undefined) findings.reasons.add(reason)
}
