import { LRUCache } from 'lru-cache'
import { sha256Hex } from '../../hash.ts'
import { createMarkupReport, type MarkupReport } from '../../markup/markup-report.ts'
import { parseMarkup } from '../../markup/parse-markup.ts'
import { findRewrite, type Rewrite } from '../../markup/rewrite-references.ts'
import type { BakedLanguage } from '../baked-copy.ts'
import type { EvaluationLimits } from '../budget.ts'
import { type CompiledMarkup, compileMarkup, type MarkupFacts } from '../compile.ts'
import { collectNeeds, type Needs } from '../needs.ts'
import { encodePieces, type Piece, PieceWriter } from '../pieces.ts'
import type { Value } from '../program.ts'
import type { CompiledFrame } from '../run.ts'
import { type StartedRun, startRun } from '../start-run.ts'
import type { Values } from '../values.ts'

/** Markup; null where it was too much to be read. */
export type Markup = { readonly html: string | null }

/** A frame's markup, as it was read. */
export type FrameSource = Markup & { readonly id: string; readonly slug: string }

/** Jobs are plain data and so is what comes of them: they run on this thread or on another. */
export type ReportJob = { readonly html: string }

/** Inserts that name the frame `from` are to name it `to`. */
export type RewriteJob = ReportJob & { readonly from: string; readonly to: string }

export type InspectJob = { readonly frames: readonly FrameSource[] }

export type BakeJob = {
  /** The frame to bake, and all that it embeds. */
  readonly frames: readonly FrameSource[]
  /** What there is to read, for each language; `lang` null for a single copy for all. */
  readonly languages: readonly { readonly lang: string | null; readonly values: Values }[]
}

export type FinishJob = {
  readonly pieces: readonly Piece[]
  /** Frames that what waited for the page may embed. */
  readonly frames: readonly FrameSource[]
  readonly values: Values
  readonly page: Readonly<Record<string, Value>>
  /** Ids of the lists of menus in the pieces. */
  readonly listIds: readonly string[]
}

/** What a frame with all that it embeds reads, and what is told of its own markup. */
export type Inspection = { readonly needs: Needs; readonly facts: MarkupFacts }

export type BakedPieces = {
  readonly languages: readonly Omit<BakedLanguage, 'fingerprint'>[]
  /** The pieces as `encodePieces` writes them. */
  readonly body: string
  /** Digest of the body. */
  readonly digest: string
  readonly facts: MarkupFacts
  /** A limit was met: something is missing. */
  readonly exhausted: boolean
}

export type FinishedPage = { readonly html: string; readonly exhausted: boolean }

/** Markup that was compiled before, by its text. */
export type Programs = LRUCache<string, CompiledMarkup>

const NO_FACTS: MarkupFacts = { unknown_inserts: [], bind_tags: 0, repeats: [] }

/** Room for compiled markup, in characters of its source; it takes about three times as much. The longest frame leaves some for others. */
const PROGRAMS_CAPACITY = 3 * 1024 * 1024

export function createPrograms(): Programs {
  return new LRUCache({
    maxSize: PROGRAMS_CAPACITY,
    sizeCalculation: (_, html) => html.length + 1,
  })
}

/** The report of markup that is about to be written, and so to be baked: it is compiled at once. */
export function report({ html }: ReportJob, programs: Programs): MarkupReport {
  const markup = parseMarkup(html)
  // What is held already stands on a text of its own: with another one it would be held twice.
  if (!programs.has(html)) programs.set(html, compileMarkup(markup))
  return createMarkupReport(markup)
}

export function rewrite({ html, from, to }: RewriteJob): Rewrite {
  return findRewrite(html, from, to)
}

export function inspect({ frames }: InspectJob, programs: Programs): Inspection {
  const read = frames.flatMap(({ html }) => (html === null ? [] : [html]))
  const compiled = read.map((html) => compiledFrom(programs, html))
  return {
    needs: collectNeeds(compiled.map(({ program }) => program)),
    facts: compiled[0]?.facts ?? NO_FACTS,
  }
}

/** Makes the pieces of the first frame in every language. */
export function bake(
  { frames, languages }: BakeJob,
  programs: Programs,
  limits: EvaluationLimits,
): BakedPieces {
  const findFrame = finder(frames, programs)
  const [root] = frames
  const baked = languages.map(({ lang, values }) => {
    const started = startRun({ values, page: undefined, findFrame }, limits)
    const { run } = started
    const out = new PieceWriter(run.budget)
    const frame = root && findFrame(root.id)
    if (frame?.program) run.evaluate(frame.program, { frames: [frame.slug], props: {} }, out)
    return { lang, started, pieces: out.pieces() }
  })
  const body = encodePieces(baked.map(({ pieces }) => pieces))
  return {
    languages: baked.map(({ lang, started, pieces }) => ({
      lang,
      blocks: pieces.length,
      bytes: bytesOf(pieces),
      live: pieces.some((piece) => typeof piece !== 'string'),
      listIds: [...started.run.listIds],
      unresolved: started.unresolved,
      warnings: started.warnings,
    })),
    body,
    digest: sha256Hex(body),
    facts: root?.html == null ? NO_FACTS : compiledFrom(programs, root.html).facts,
    exhausted: baked.some(({ started }) => isExhausted(started)),
  }
}

/** Prints a page from pieces, now that it is known. */
export function finish(job: FinishJob, programs: Programs, limits: EvaluationLimits): FinishedPage {
  const { values, page, listIds } = job
  const findFrame = finder(job.frames, programs)
  const started = startRun({ values, page, findFrame }, limits, listIds)
  const out = new PieceWriter(started.run.budget)
  started.run.finish(job.pieces, out)
  return { html: out.pieces().join(''), exhausted: isExhausted(started) }
}

const isExhausted = ({ run }: StartedRun): boolean => run.budget.exhausted !== undefined

/** Finds frames by id, then by slug, as the registry does. */
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
