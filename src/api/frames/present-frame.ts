import type { FrameGraph } from '../../frames/graph.ts'
import type { FrameMeta } from '../../frames/meta.ts'
import { recordOption } from '../../frames/option-names.ts'
import { resolveReferences } from '../../frames/report.ts'
import { slugParts } from '../../frames/slug.ts'
import type { MarkupReport } from '../../markup/analyse.ts'

/** What a frame object is made of. */
export type PresentedFrame = {
  readonly id: string
  readonly slug: string
  readonly meta: FrameMeta
  readonly graph: FrameGraph
  readonly pages?: readonly number[] | undefined
  readonly html?: string
  readonly referencedBy?: readonly string[]
}

/** A frame object (contract, section 2.1). */
export function presentFrame({
  id,
  slug,
  meta,
  graph,
  pages,
  html,
  referencedBy,
}: PresentedFrame): object {
  return {
    id,
    slug,
    ...slugParts(slug),
    bytes: meta.bytes,
    sha256: meta.sha256,
    inserts: meta.inserts,
    sources: meta.sources,
    frame_refs: resolveReferences(meta.references, graph.registry).frame_refs,
    binds: meta.binds,
    created_at_gmt: meta.created_at_gmt,
    updated_at_gmt: meta.updated_at_gmt,
    updated_by: meta.updated_by,
    option: recordOption(id),
    ...(pages ? { pages } : {}),
    renders_on_request: graph.liveReasons(id).length > 0,
    ...(html === undefined ? {} : { html }),
    ...(referencedBy ? { referenced_by: referencedBy } : {}),
  }
}

/** The markup report (contract, section 2.2) of a frame that the graph knows. */
export function presentReport(
  id: string,
  report: MarkupReport,
  graph: FrameGraph,
  warnings: readonly string[],
): object {
  const liveReasons = graph.liveReasons(id)
  const { frame_refs, frame_refs_missing } = resolveReferences(
    report.references.map(({ value }) => value),
    graph.registry,
  )
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
    warnings: [...warnings, ...report.warnings],
    frame_refs_missing,
  }
}
