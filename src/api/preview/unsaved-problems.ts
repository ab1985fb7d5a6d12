import type { Tx } from '../../db/transaction.ts'
import { findFrameProblems } from '../../frames/find-problems.ts'
import { readKnownNames } from '../../frames/known-names.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import type { ResponseOf, SiteContext } from '../endpoint.ts'
import { type FrameProblemSchema, presentFrameProblems } from '../frames/frame-problem.ts'
import type { Unsaved } from './unsaved-things.ts'

/** The problems of unsaved frames, as a plan finds them, on the site with all unsaved things. */
export async function findUnsavedProblems(
  { site, markupAnalyzer }: Pick<SiteContext, 'site' | 'markupAnalyzer'>,
  tx: Tx,
  frames: Unsaved['frames'],
): Promise<ResponseOf<typeof FrameProblemSchema>[]> {
  if (frames.length === 0) return []
  const graph = await readSiteGraph(tx, site)
  const analyzer = markupAnalyzer(site)
  const checked = []
  for (const { slug, html } of frames) {
    const frame = graph.registry.find(String(slug))
    if (frame) checked.push({ ...frame, report: await analyzer.analyze(String(html)) })
  }
  const names = checked.flatMap(({ report }) => report.names)
  const known = await readKnownNames(tx, site, names)
  return presentFrameProblems(await findFrameProblems(checked, graph, known))
}
