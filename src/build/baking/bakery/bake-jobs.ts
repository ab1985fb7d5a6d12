import { LRUCache } from 'lru-cache'
import type { EvaluationLimits } from '../../../content/markup/evaluation/budget.ts'
import {
  type CompiledMarkup,
  compileMarkup,
  type MarkupFacts,
} from '../../../content/markup/evaluation/compile.ts'
import type { CompiledFrame } from '../../../content/markup/evaluation/evaluation.ts'
import { collectNeeds, type Needs } from '../../../content/markup/evaluation/needs.ts'
import { encodePieces, type Piece, PieceWriter } from '../../../content/markup/evaluation/pieces.ts'
import type { Value } from '../../../content/markup/evaluation/program.ts'
import {
  type StartedEvaluation,
  startEvaluation,
} from '../../../content/markup/evaluation/start-evaluation.ts'
import type { Values } from '../../../content/markup/evaluation/values.ts'
import { createMarkupReport, type MarkupReport } from '../../../content/markup/markup-report.ts'
import { parseMarkup } from '../../../content/markup/parse-markup.ts'
import {
  findRewrite,
  type Renames,
  type Rewrite,
} from '../../../content/markup/rewrite-references.ts'
import type { UnresolvedBind } from '../../../host/effects.ts'
import { sha256Hex } from '../../../host/hash.ts'
import type { BakedLanguage } from '../baked-copy.ts'

/** The markup of a frame; null if it was not read because the closure is too large. */
export type MarkupText = { readonly html: string | null }

/** A frame with its markup, the input of a bake. */
export type FrameSource = MarkupText & { readonly id: string; readonly slug: string }

/** Jobs and their results are plain data, so that jobs can run on any thread. */
export type AnalyzeJob = { readonly html: string }

/** Makes references name renamed frames by their new slugs. */
export type RewriteJob = AnalyzeJob & { readonly renames: Renames }

export type InspectJob = { readonly frames: readonly FrameSource[] }

export type BakeJob = {
  /** The frame to bake, then all frames that it embeds. */
  readonly frames: readonly FrameSource[]
  /** The values for each language; a single entry with `lang` null for all languages. */
  readonly languages: readonly { readonly lang: string | null; readonly values: Values }[]
}

export type FinishJob = {
  readonly pieces: readonly Piece[]
  /** The frames that deferred pieces may embed. */
  readonly frames: readonly FrameSource[]
  readonly values: Values
  readonly page: Readonly<Record<string, Value>>
  /** `id` attributes of the menu lists in the pieces. */
  readonly listIds: readonly string[]
}

/** The needs of a closure, and the facts about the markup of its first frame. */
export type Inspection = { readonly needs: Needs; readonly facts: MarkupFacts }

export type BakedPieces = {
  readonly languages: readonly Omit<BakedLanguage, 'fingerprint'>[]
  /** The pieces, encoded by `encodePieces`. */
  readonly body: string
  /** Digest of the body. */
  readonly digest: string
  readonly facts: MarkupFacts
  /** A limit was reached; the output is incomplete. */
  readonly exhausted: boolean
}

export type FinishedPage = {
  readonly html: string
  /** Of the deferred pieces. */
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
  /** The limit that was reached, if any: the HTML is incomplete. */
  readonly exhausted: keyof EvaluationLimits | undefined
}

/** Cache of compiled markup, by its text. */
export type Programs = LRUCache<string, CompiledMarkup>

const NO_FACTS: MarkupFacts = { unknown_inserts: [], bind_tags: 0, repeats: [] }

/** Size of the cache in characters of markup; compiled markup takes about three times as much. Exceeds the largest frame. */
const PROGRAMS_CAPACITY = 3 * 1024 * 1024

export function createPrograms(): Programs {
  return new LRUCache({
    maxSize: PROGRAMS_CAPACITY,
    sizeCalculation: (_, html) => html.length + 1,
  })
}

/** Creates the report of markup that is about to be written. Also compiles it, because the write is followed by a bake. */
export function analyze({ html }: AnalyzeJob, programs: Programs): MarkupReport {
  const markup = parseMarkup(html)
  // A cached program keeps its own copy of the text; replacing its key would keep a second one.
  if (!programs.has(html)) programs.set(html, compileMarkup(markup))
  return createMarkupReport(markup)
}

export function rewrite({ html, renames }: RewriteJob): Rewrite {
  return findRewrite(html, renames)
}

export function inspect({ frames }: InspectJob, programs: Programs): Inspection {
  const read = frames.flatMap(({ html }) => (html === null ? [] : [html]))
  const compiled = read.map((html) => compiledFrom(programs, html))
  return {
    needs: collectNeeds(compiled.map(({ program }) => program)),
    facts: compiled[0]?.facts ?? NO_FACTS,
  }
}

/** Bakes the first frame in every language. */
export function bake(
  { frames, languages }: BakeJob,
  programs: Programs,
  limits: EvaluationLimits,
): BakedPieces {
  const findFrame = finder(frames, programs)
  const [root] = frames
  const baked = languages.map(({ lang, values }) => {
    const started = startEvaluation({ values, page: undefined, findFrame }, limits)
    const { evaluation } = started
    const out = new PieceWriter(evaluation.budget)
    const frame = root && findFrame(root.id)
    if (frame?.program) evaluation.evaluate(frame.program, { frames: [frame.slug], props: {} }, out)
    return { lang, started, pieces: out.pieces() }
  })
  const body = encodePieces(baked.map(({ pieces }) => pieces))
  return {
    languages: baked.map(({ lang, started, pieces }) => ({
      lang,
      blocks: pieces.length,
      bytes: bytesOf(pieces),
      live: pieces.some((piece) => typeof piece !== 'string'),
      listIds: [...started.evaluation.listIds],
      unresolved: started.unresolved,
      warnings: started.warnings,
    })),
    body,
    digest: sha256Hex(body),
    facts: root?.html == null ? NO_FACTS : compiledFrom(programs, root.html).facts,
    exhausted: baked.some(({ started }) => isExhausted(started)),
  }
}

/** Prints a page from pieces. */
export function finish(job: FinishJob, programs: Programs, limits: EvaluationLimits): FinishedPage {
  const { values, page, listIds } = job
  const findFrame = finder(job.frames, programs)
  const started = startEvaluation({ values, page, findFrame }, limits, listIds)
  const out = new PieceWriter(started.evaluation.budget)
  started.evaluation.finish(job.pieces, out)
  const { unresolved, warnings } = started
  const { exhausted } = started.evaluation.budget
  return { html: out.pieces().join(''), unresolved, warnings, exhausted }
}

const isExhausted = ({ evaluation }: StartedEvaluation): boolean =>
  evaluation.budget.exhausted !== undefined

/** Finds frames by id, else by slug, as the registry does. */
function finder(
  frames: readonly FrameSource[],
  programs: Programs,
): (ref: string) => CompiledFrame | undefined {
  const bySlug = new Map<string, CompiledFrame>()
  const byId = new Map<string, CompiledFrame>()
  for (const { id, slug, html } of frames) {
    const frame = { slug, program: html === null ? null : compiledFrom(programs, html).program }
    bySlug.set(slug, frame)
    byId.set(id, frame)
  }
  return (ref) => byId.get(ref) ?? bySlug.get(ref)
}

function compiledFrom(programs: Programs, html: string): CompiledMarkup {
  const compiled = programs.get(html) ?? compileMarkup(parseMarkup(html))
  programs.set(html, compiled)
  return compiled
}

function bytesOf(pieces: readonly Piece[]): number {
  let bytes = 0
  for (const piece of pieces) {
    bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : bytesOf(piece.pieces)
  }
  return bytes
}
