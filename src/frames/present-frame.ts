import { resolveReferences } from './frame-markup.ts'
import type { FrameGraph, IndexedFrame } from './graph.ts'
import { recordOption } from './option-names.ts'

import { slugParts } from './slug.ts'

/** The frame object of the API and of `--json`. */
export function presentFrame({
  id,
  slug,
  meta,
  graph,
  pages,
}: IndexedFrame & {
  readonly graph: FrameGraph
  readonly pages?: readonly number[] | undefined
}) {
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
    renders_on_request: graph.rendersOnRequest(id),
  }
}
