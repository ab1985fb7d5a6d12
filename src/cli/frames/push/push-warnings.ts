import type { Db } from '../../../db/database.ts'
import type { DesiredFrame, DesiredSite } from '../../../description/desired-site.ts'
import { type MarkupAnalyzer, resolveReferences } from '../../../frames/frame-markup.ts'
import { readSiteGraph } from '../../../frames/read-graph.ts'
import type { Site } from '../../../wordpress/network/site.ts'

/** A mistake that does not prevent a push. */
export type PushWarning = { readonly slug: string; readonly message: string }

type DescribedFrames = Pick<DesiredSite, 'removedFrames'> & {
  readonly frames: readonly Pick<DesiredFrame, 'slug' | 'html'>[]
}

/** Finds mistakes in described markup, and inserts that will print nothing. */
export async function findWarnings(
  db: Db,
  site: Site,
  { frames, removedFrames = [] }: DescribedFrames,
  markup: MarkupAnalyzer,
): Promise<readonly PushWarning[]> {
  if (frames.length + removedFrames.length === 0) return []
  const graph = await readSiteGraph(db, site)
  const { registry } = graph
  const described = new Set(frames.map(({ slug }) => slug))
  const removed = new Set(removedFrames)
  const isMissing = (ref: string): boolean =>
    !described.has(ref) && (removed.has(ref) || !registry.find(ref))
  const warnings: PushWarning[] = []
  for (const { slug, html } of frames) {
    const report = await markup.analyze(html)
    const missing = resolveReferences(report.references, registry).frame_refs.filter(isMissing)
    for (const message of report.warnings) warnings.push({ slug, message })
    for (const ref of missing)
      warnings.push({ slug, message: `it embeds "${ref}", which does not exist` })
  }
  for (const slug of removed) {
    const embedders = graph
      .embeddersOf([registry.find(slug)?.id ?? slug])
      .filter((frame) => !described.has(frame.slug) && !removed.has(frame.slug))
    if (embedders.length === 0) continue
    const list = embedders.map((frame) => frame.slug).join(', ')
    const message = `frames that embed it now print nothing in its position: ${list}`
    warnings.push({ slug, message })
  }
  return warnings
}
