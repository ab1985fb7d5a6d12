import { findInsertPath, listReferences, type ReferencePair } from './insert-references.ts'
import type {
  ElementNode,
  InsertNode,
  Markup,
  MarkupNode,
  MarkupProblem,
  SourceLocation,
} from './nodes.ts'
import { describeProblems } from './problems.ts'
import { findSourceName, type Path } from './value-path.ts'

/**
 * The markup report of contract 2.2, in its own words, as far as the markup alone can tell: the
 * caller resolves `references` to `frame_refs` and `frame_refs_missing`, and adds the live reasons
 * that embedded frames bring.
 */
export type MarkupReport = {
  /** `op/menu` to how many, sorted by kind. Broken inserts are not counted. */
  readonly inserts: Readonly<Record<string, number>>
  readonly inserts_total: number
  /** Sorted: `menu.header`, `page.url`. What `item.*` and `props.*` read is named by who hands it on. */
  readonly sources: readonly string[]
  /** The frames that it embeds, as it names them: slugs and ids, each once, in order of appearance. */
  readonly references: readonly string[]
  readonly aliases: readonly FrameAliases[]
  readonly binds: number
  readonly renders_on_request: boolean
  /** In order of appearance: `page.title`, `svc/content`, `svc/lang-switcher`, `svc/menu current`. */
  readonly live_reasons: readonly string[]
  readonly has_doctype: boolean
  readonly has_body: boolean
  readonly warnings: readonly string[]
}

/** Where a frame is first named in these different words: the site's registry knows whether they name the same one. */
export type FrameAliases = SourceLocation & { readonly pairs: readonly ReferencePair[] }

type Findings = {
  readonly counts: Map<string, number>
  readonly sources: Set<string>
  readonly references: Set<string>
  /** By their words. */
  readonly aliases: Map<string, FrameAliases>
  readonly reasons: Set<string>
  readonly problems: MarkupProblem[]
  binds: number
}

/** What a frame is made of and reads, from its tree: nothing is rendered. */
export function createMarkupReport(markup: Markup): MarkupReport {
  const findings: Findings = {
    counts: new Map(),
    sources: new Set(),
    references: new Set(),
    aliases: new Map(),
    reasons: new Set(),
    problems: [...markup.problems],
    binds: 0,
  }
  analyzeNodes(markup.nodes, findings)
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
    warnings: describeProblems(markup.source, findings.problems),
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
  const name = `op/${kind}`
  findings.counts.set(name, (findings.counts.get(name) ?? 0) + 1)
  const pairs = listReferences(insert)
  if (pairs[0] !== undefined) findings.references.add(pairs[0].value)
  const words = [...new Set(pairs.map(({ value }) => value))]
  if (words.length > 1) {
    const key = JSON.stringify(words)
    if (!findings.aliases.has(key)) findings.aliases.set(key, { pairs, line, column })
  }
  const path = findInsertPath(insert)
  if (path !== undefined) recordPath(path, findings, kind === 'content' ? 'svc/content' : path.text)
  const lack = findMissingInput(insert, path, pairs)
  if (lack !== undefined) findings.problems.push({ start, end, message: lack })
  if (kind === 'lang-switcher') findings.reasons.add('svc/lang-switcher')
  if (kind === 'menu' && params.current === true) findings.reasons.add('svc/menu current')
  if (body !== null) analyzeNodes(body.nodes, findings)
}

function analyzeElement({ binds, content }: ElementNode, findings: Findings): void {
  findings.binds += binds.length
  for (const bind of binds)
    if (bind.kind !== 'refused') recordPath(bind.path, findings, bind.path.text)
  if (content !== null) analyzeNodes(content.nodes, findings)
}

function recordPath(path: Path, findings: Findings, reason: string): void {
  const source = findSourceName(path)
  if (source !== undefined) findings.sources.add(source)
  if (path.root === 'page') findings.reasons.add(reason)
}

/** What an insert would need to print something, as far as it does not depend on the site. */
function findMissingInput(
  { kind, params, body }: InsertNode,
  path: Path | undefined,
  pairs: readonly ReferencePair[],
): string | undefined {
  if (kind === 'frame' || kind === 'partial') {
    return pairs.length > 0 ? undefined : `This svc/${kind} names no frame; it prints nothing.`
  }
  if (path === undefined && (kind === 'repeat' || kind === 'data')) {
    return `"source" of this svc/${kind} names nothing that can be read; it prints nothing.`
  }
  if (kind === 'repeat' && body === null && pairs.length === 0) {
    return 'This svc/repeat has neither a body nor a "frame"; it prints nothing.'
  }
  const namesMenu = typeof params.menu === 'string' || typeof params.menu === 'number'
  return kind === 'menu' && path === undefined && !namesMenu
    ? 'This svc/menu names neither a "location" nor a "menu"; it prints nothing.'
    : undefined
}
