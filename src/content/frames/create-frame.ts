import { randomBytes } from 'node:crypto'
import type { Tx } from '../../db/transaction.ts'
import type { Precondition } from '../../host/preconditions.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { MarkupReport } from '../markup/markup-report.ts'
import type { Change } from '../work/change.ts'
import { analyzeMarkup, assertReferencesAgree, type MarkupAnalyzer } from './frame-markup.ts'
import { assertSlugPrecondition } from './frame-version.ts'
import type { FrameGraph } from './graph.ts'
import { lockFrames } from './lock-frames.ts'
import type { Frame } from './record.ts'
import { parseSlug } from './slug.ts'
import { recordOf } from './write-frames.ts'

/** The input of a write that creates or replaces a frame. */
export type FrameWriteInput = {
  readonly slug?: string | undefined
  /** Valid, see `parseNewMarkup`. */
  readonly html: string
  /** The report of `html` if it was analyzed before the transaction, because 2 MB take long. */
  readonly report?: MarkupReport | undefined
  /** Analyzes the markup of other frames that the write changes [`INLINE_ANALYZER`]. */
  readonly analyzer?: MarkupAnalyzer | undefined
  readonly userId: number
  /** GMT, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly bake: boolean
  readonly precondition?: Precondition | undefined
  /** Limit for the markup of all frames of the site, in bytes [none]. */
  readonly maxSiteBytes?: number | undefined
}

/** The result of a write: the frame, the report of its markup, and the site's graph after the write. */
export type FrameWriteOutcome = {
  readonly frame: Frame
  readonly report: MarkupReport
  readonly graph: FrameGraph
  readonly change: Change
}

/**
 * Creates a frame.
 * @throws AppError `invalid_slug`, `frame_charset_unsupported`, `frame_ref_conflict`,
 * `slug_taken`, `precondition_failed`, `site_quota_exceeded`
 */
export async function createFrame(
  tx: Tx,
  site: Site,
  write: FrameWriteInput,
): Promise<FrameWriteOutcome> {
  const slug = parseSlug(write.slug)
  const { html } = write
  const report = write.report ?? analyzeMarkup(html)
  const frames = await lockFrames(tx, site)
  await assertSlugPrecondition(tx, site, frames.graph.registry, slug, write.precondition)
  frames.graph.registry.assertFree(slug)
  assertReferencesAgree(report.aliases, frames.graph.registry)
  const id = newFrameId()
  const frame = frames.stage(id, recordOf(frames.before, { id, slug, html }, write), report, true)
  await frames.flush(write.maxSiteBytes)
  const change = await frames.changeOf(frame, [slug], { ...write, isNew: true })
  return { frame, report, graph: frames.graph, change }
}

/** 64 random bits in hexadecimal. Ids without a letter are rejected, because PHP converts them to integer keys of the registry's array. */
export function newFrameId(): string {
  for (;;) {
    const id = randomBytes(8).toString('hex')
    if (/[a-f]/.test(id)) return id
  }
}
