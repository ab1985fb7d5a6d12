import { bakedOption } from '../../content/frames/option-names.ts'
import type { Piece } from '../../content/markup/evaluation/pieces.ts'
import type { Program } from '../../content/markup/evaluation/program.ts'
import type { Values } from '../../content/markup/evaluation/values.ts'
import type { UnresolvedBind } from '../../host/effects.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import type { Page } from '../../wordpress/pages/posts.ts'
import type { BakeContext } from './bake-frame.ts'
import {
  type BakedCopy,
  type BakedLanguage,
  decodeBakedCopy,
  fingerprint,
  languageIn,
  piecesOf,
} from './baked-copy.ts'
import type { UnreadFrames } from './bakery/build-bakery.ts'
import { closureFrames, closureOf, isSameClosure, readableFrames } from './closure.ts'

/** A copy with its pieces and values in one language. */
export type PrintableCopy = {
  readonly copy: BakedCopy
  readonly language: BakedLanguage
  readonly pieces: readonly Piece[]
  readonly values: Values
}

/** The stored copy for pages in a language, if it is fresh in that language. */
export async function findFreshCopy(
  context: BakeContext,
  id: string,
  lang: string | null,
): Promise<PrintableCopy | undefined> {
  const { db, site, graph } = context
  const stored = decodeBakedCopy(await readOption(db, site, bakedOption(id)))
  const closure = closureOf(graph, id)
  if (!stored || !isSameClosure(stored.header.closure, closure)) return undefined
  const printable = await printableCopy(context, stored, lang)
  if (!printable) return undefined
  const { language, values } = printable
  return language.fingerprint === fingerprint(closure, context.data.digestOf(values))
    ? printable
    : undefined
}

/** The part of a copy for pages in a language; undefined if its pieces are missing or damaged. */
export async function printableCopy(
  { data }: BakeContext,
  copy: BakedCopy,
  lang: string | null,
): Promise<PrintableCopy | undefined> {
  const { needs } = copy.header
  const language = languageIn(copy.header, lang)
  const pieces = language && piecesOf(copy, language)
  return pieces && { copy, language, pieces, values: await data.values(needs, language.lang) }
}

/** A page with what its build could not print. */
export type RenderedPage = {
  readonly html: string
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
}

/** Prints a page from the baked copy of its frame, and evaluates the deferred pieces. */
export async function renderPage(
  context: BakeContext,
  { copy, language, pieces, values }: PrintableCopy,
  page: Page,
): Promise<RenderedPage> {
  const { unresolved, warnings } = language
  if (!language.live) return { html: pieces.join(''), unresolved, warnings }
  const menus = Object.values(values.menus)
  const fields = new Set(copy.header.needs.page)
  if (menus.some((menu) => menu?.hasSwitcher)) fields.add('translations')
  const [root] = copy.header.closure.frames
  const [frames, pageValues] = await Promise.all([
    context.bakery.readAhead(framesFor(context, root?.id ?? '', pieces)),
    context.data.pageValues(page, fields),
  ])
  const { listIds } = language
  const finished = await context.bakery.finish(frames, {
    pieces,
    values,
    page: pageValues,
    listIds,
  })
  return {
    html: finished.html,
    unresolved: [...unresolved, ...finished.unresolved],
    warnings: [...warnings, ...finished.warnings],
  }
}

/**
 * The frames that deferred pieces may embed, with the frames that those embed.
 * @param rootId id of the baked frame; frames that its bake did not read are not read here either
 */
function framesFor(
  { graph, sources }: BakeContext,
  rootId: string,
  pieces: readonly Piece[],
): UnreadFrames {
  const found = new Set<string>()
  for (const ref of referencesIn(pieces)) {
    const frame = graph.registry.find(ref)
    if (!frame || found.has(frame.id)) continue
    found.add(frame.id)
    for (const { id } of graph.embeddedFrames(frame.id)) found.add(id)
  }
  const frames = [...found].flatMap((id) => graph.get(id) ?? [])
  return sources.of(frames, found.size === 0 ? [] : readableFrames(closureFrames(graph, rootId)))
}

function referencesIn(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return []
    const live = piece.node.op === 'insert' ? referencesOf([piece.node]) : []
    return [...live, ...referencesIn(piece.pieces)]
  })
}

function referencesOf(program: Program): string[] {
  return program.flatMap((instruction) => {
    if (typeof instruction === 'string') return []
    if (instruction.op === 'element') return referencesOf(instruction.body)
    return [instruction.ref, ...referencesOf(instruction.body ?? [])]
  })
}
