import { randomBytes } from 'node:crypto'
import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import type { MarkupReport } from '../markup/markup-report.ts'
import type { Precondition } from '../preconditions.ts'
import type { Site } from '../wordpress/network/site.ts'
import {
  analyzeMarkup,
  assertReferencesAgree,
  type MarkupAnalyzer,
  parseMarkupInput,
} from './frame-markup.ts'
import { assertSlugPrecondition } from './frame-version.ts'
import type { FrameGraph } from './graph.ts'
import { type Frame, lockFrames } from './lock-frames.ts'
import { parseSlug } from './slug.ts'

/** What a write of a frame brings: who writes, when, and whether to build afterwards. */
export type FrameWrite = {
  readonly slug?: unknown
  readonly html?: unknown
  /** Of `html`, where that was read before the transaction: two megabytes take long. */
  readonly report?: MarkupReport | undefined
  /** What reads other markup that the write changes [this thread]. */
  readonly analyzer?: MarkupAnalyzer | undefined
  readonly userId: number
  /** GMT, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly bake: boolean
  readonly precondition?: Precondition | undefined
  /** What all frames of the site may have of markup, in bytes; no limit where it is left out. */
  readonly maxSiteBytes?: number | undefined
}

/** What a write of a frame leaves: the frame, its markup's report, the site's frames as they are then. */
export type FrameWriteOutcome = {
  readonly frame: Frame
  readonly report: MarkupReport
  readonly graph: FrameGraph
  readonly change: Change
}

/**
 * Makes a frame (contract, section 4.1.2).
 * @throws AppError `invalid_slug`, `frame_html_required`, `frame_too_large`, `frame_charset_unsupported`,
 * `frame_ref_conflict`, `slug_taken`; `precondition_failed` where one of that slug is expected, or expected not to be
 */
export async function createFrame(
  tx: Tx,
  site: Site,
  write: FrameWrite,
): Promise<FrameWriteOutcome> {
  const slug = parseSlug(write.slug)
  const html = parseMarkupInput(write.html)
  const report = write.report ?? analyzeMarkup(html)
  const frames = await lockFrames(tx, site)
  await assertSlugPrecondition(tx, site, frames.graph.registry, slug, write.precondition)
  frames.graph.registry.assertFree(slug)
  assertReferencesAgree(report.aliases, frames.graph.registry)
  const id = newFrameId()
  const record = {
    slug,
    html,
    created_at_gmt: write.now,
    updated_at_gmt: write.now,
    updated_by: write.userId,
  }
  const frame = frames.stage(id, record, report)
  await frames.finish(write.maxSiteBytes)
  return { frame, report, graph: frames.graph, change: frameChange(frame, [slug], write) }
}

/** The change that a write of a frame is, under the slugs that it bears and bore. */
export function frameChange(
  { id, record: { html }, meta: { sha256 } }: Frame,
  slugs: readonly string[],
  { bake }: { bake: boolean },
): Change {
  const markup = { html, sha256 }
  return { bake, frame: id, markup, touched: [{ kind: 'frame', id, slugs }], pages: [] }
}

/**
 * 16 hexadecimal characters from the system's random source. One that is all digits would become an integer as a
 * key of the registry's PHP array, so another is drawn.
 */
function newFrameId(): string {
  for (;;) {
    const id = randomBytes(8).toString('hex')
    if (/[a-f]/.test(id)) return id
  }
}
