import type { Effects } from '../../change.ts'
import type { FrameGraph } from '../../frames/graph.ts'
import type { Frame } from '../../frames/lock-frames.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import type { Rename } from '../../frames/rename-frame.ts'
import { resolveReferences } from '../../frames/report.ts'
import type { MarkupReport } from '../../markup/analyse.ts'
import type { Site } from '../../wordpress/network/site.ts'

/** What a POST or PUT of a frame came to. */
export type WrittenFrame = {
  readonly frame: Frame
  readonly report: MarkupReport
  /** The site's frames with the write done. */
  readonly graph: FrameGraph
  /** Undefined for a dry run. */
  readonly effects: Effects | undefined
  readonly updated: boolean
  readonly renamed?: Rename | undefined
  /** Fields of the body that were passed over, as warnings. */
  readonly ignored: readonly string[]
}

/** The answer to POST and PUT (contract, sections 4.1.2 and 4.1.4): the frame, the markup report, the effects. */
export function presentWrite(
  site: Site,
  { frame, report, graph, effects, updated, renamed, ignored }: WrittenFrame,
): object {
  return {
    success: true,
    ...(effects ? {} : { dry_run: true }),
    applied: effects !== undefined,
    updated: updated && effects !== undefined,
    site_id: site.blogId,
    frame: presentFrame({ id: frame.id, slug: frame.record.slug, meta: frame.meta, graph }),
    ...presentReport(frame.id, report, graph, ignored),
    ...(renamed ? { renamed: presentRename(renamed) } : {}),
    ...(effects ? { bake: effects.bake, rebaked: effects.rebaked } : {}),
  }
}

/** `renamed` (contract, section 4.1.5). */
export function presentRename({ from, to, details }: Rename): object {
  return { from, to, frames_updated: details.map(({ slug }) => slug), details }
}

/** The markup report (contract, section 2.2) of a frame that the graph knows. */
function presentReport(
  id: string,
  report: MarkupReport,
  graph: FrameGraph,
  ignored: readonly string[],
): object {
  const liveReasons = graph.liveReasons(id)
  const references = report.references.map(({ value }) => value)
  const { frame_refs, frame_refs_missing } = resolveReferences(references, graph.registry)
  return {
    inserts: report.inserts,
    inserts_total: report.inserts_total,
    sources: report.sources,
    frame_refs,
    binds: report.binds,
    renders_on_request: liveReasons.length > 0,
    live_reasons: liveReasons,
    has_doctype: report.has_doctype,
    has_body: report.has_body,
    warnings: [...ignored, ...report.warnings],
    frame_refs_missing,
  }
}
