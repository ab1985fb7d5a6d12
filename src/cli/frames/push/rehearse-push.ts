import type { Database } from '../../../db/database.ts'
import { AppError } from '../../../errors.ts'
import { readSiteGraph } from '../../../frames/read-graph.ts'
import { resolveReferences } from '../../../frames/frame-markup.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { CommandError } from '../../cli-context.ts'
import { type FrameFolder, decodeMarkup } from '../folder/frame-folder.ts'
import { findStoredFrame } from '../site-frames.ts'
import { type PushWrite, type StepResult, applyToFolder, copyFolder, performStep } from './perform-step.ts'
import type { PushProblem, PushStep } from './plan-push.ts'

/** A step as it would be done. */
export type DryRunStep = StepResult & {
  /** The markup on the site before and after it, where there is one. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Does all steps and takes them back: what the site refuses of them, and what they would come to. References that would lead nowhere are
 * among the warnings.
 */
export function dryRunPush(
  db: Database,
  site: Site,
  folder: FrameFolder,
  steps: readonly PushStep[],
  write: PushWrite,
): Promise<{ readonly problems: PushProblem[]; readonly rehearsed: DryRunStep[] }> {
  return db.rehearse(async (tx) => {
    const copy = copyFolder(folder)
    const problems: PushProblem[] = []
    const rehearsed: DryRunStep[] = []
    for (const step of steps) {
      const { slug, file } = step
      const held = 'id' in step ? { id: step.id, slug } : undefined
      const before = held && (await findStoredFrame(tx, site, held))?.record.html
      try {
        const done = await performStep(tx, site, copy, step, write)
        if (done === undefined) continue
        await applyToFolder(copy, done, write)
        const sent = done.sha256 === undefined ? undefined : copy.files.get(file)
        rehearsed.push({ ...done, before, after: sent && decodeMarkup(sent) })
      } catch (error) {
        if (!(error instanceof AppError || error instanceof CommandError)) throw error
        const kind = error instanceof CommandError ? 'conflict' : 'invalid'
        problems.push({ slug, file, kind, message: error.message })
      }
    }
    const graph = await readSiteGraph(tx, site)
    const missingOf = (id: string): string[] =>
      resolveReferences(graph.get(id)?.meta.references ?? [], graph.registry).frame_refs_missing
    return {
      problems,
      rehearsed: rehearsed.map((done) => ({
        ...done,
        warnings: [
          ...done.warnings,
          ...missingOf(done.id).map((ref) => `it embeds "${ref}", which is no frame`),
        ],
      })),
    }
  }, site)
}
