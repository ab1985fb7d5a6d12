import { join } from 'node:path'
import type { Database } from '../../../db/database.ts'
import type { Tx } from '../../../db/transaction.ts'
import { AppError, DomainError } from '../../../errors.ts'
import { isExecutorUnavailable } from '../../../executor/executor.ts'
import { resolveReferences } from '../../../frames/frame-markup.ts'
import { readSiteGraph } from '../../../frames/read-graph.ts'
import { writeFileAtomically } from '../../../publishing/atomic-write.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { type RecordedChange, recordChange } from '../../../work/record-work.ts'
import { type CliServices, CommandError } from '../../cli-context.ts'
import { describeKnownError } from '../../describe-error.ts'
import type { SiteRun } from '../../sites/run-over-sites.ts'
import { type EffectsSummary, NO_EFFECTS, summarizeEffects } from '../../summarize-effects.ts'
import { decodeMarkup, type FrameFolder } from '../folder/frame-folder.ts'
import { writeManifest } from '../folder/manifest.ts'
import { findReadableFrame } from '../site-frames.ts'
import {
  applyToFolder,
  copyFolder,
  type PushWrite,
  performStep,
  type StepResult,
} from './perform-step.ts'
import type { PushProblem, PushStep } from './plan-push.ts'

/** The result of a step in a dry run. */
export type DryRunStep = StepResult & {
  /** The markup on the site before and after the step; undefined if there is none. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Performs all steps and rolls them back, to find problems and to preview the results. */
export function dryRunPush(
  db: Database,
  site: Site,
  folder: FrameFolder,
  steps: readonly PushStep[],
  write: PushWrite,
): Promise<PerformedSteps> {
  return db.write({ site, dryRun: true }, (tx) => performSteps(tx, site, folder, steps, write))
}

/** The results of steps in one transaction, and the problems of those that failed. */
type PerformedSteps = { readonly problems: PushProblem[]; readonly results: DryRunStep[] }

/** Performs all steps in a transaction that will be rolled back. The warnings include references to missing frames. */
export async function performSteps(
  tx: Tx,
  site: Site,
  folder: FrameFolder,
  steps: readonly PushStep[],
  write: PushWrite,
): Promise<PerformedSteps> {
  const copy = copyFolder(folder)
  const problems: PushProblem[] = []
  const results: DryRunStep[] = []
  for (const step of steps) {
    const { slug, file } = step
    const name = 'id' in step ? { id: step.id, slug } : undefined
    const before = name && (await findReadableFrame(tx, site, name))?.record.html
    try {
      const done = await performStep(tx, site, copy, step, write)
      if (done === undefined) continue
      await applyToFolder(copy, done, write)
      const sent = done.sha256 === undefined ? undefined : copy.files.get(file)
      results.push({ ...done, before, after: sent && decodeMarkup(sent) })
    } catch (error) {
      const isKnown = error instanceof AppError || error instanceof DomainError
      if (!isKnown && !(error instanceof CommandError)) throw error
      const kind = isKnown ? 'invalid' : 'conflict'
      problems.push({ slug, file, kind, message: describeKnownError(error) ?? '' })
    }
  }
  const graph = await readSiteGraph(tx, site)
  const missingOf = (id: string): string[] =>
    resolveReferences(graph.get(id)?.meta.references ?? [], graph.registry).frame_refs_missing
  return {
    problems,
    results: results.map((done) => ({
      ...done,
      warnings: [
        ...done.warnings,
        ...missingOf(done.id).map((ref) => `it embeds "${ref}", which does not exist`),
      ],
    })),
  }
}

export type SentStep = StepResult & { readonly built: EffectsSummary }

export type PushOutcome = {
  readonly sent: readonly SentStep[]
  /** The number of steps that were not performed. */
  readonly left: number
  /** The step that failed, if one did. */
  readonly failure?: { readonly step: PushStep; readonly message: string }
}

/**
 * Performs the steps in sequence, each in its own transaction, and updates the manifest after each. After Ctrl-C, a crash or a failure, the
 * next push continues from there.
 */
export async function sendSteps(
  { db, executor }: Pick<CliServices, 'db' | 'executor'>,
  site: Site,
  folder: FrameFolder,
  steps: readonly PushStep[],
  write: PushWrite,
  { signal, progress }: SiteRun,
): Promise<PushOutcome> {
  const sent: SentStep[] = []
  let isExecutorUnreachable = false
  for (const [at, step] of steps.entries()) {
    if (signal.aborted) return { sent, left: steps.length - at }
    try {
      const done = await db.write({ site }, async (tx) => {
        const done = await performStep(tx, site, folder, step, write)
        return done && { ...done, change: await recordChange(tx, site, done.change) }
      })
      if (done) {
        for (const { name, bytes } of await applyToFolder(folder, done, write))
          await writeFileAtomically(join(folder.path, name), bytes)
        await writeManifest(folder.path, site, folder.entries.values())
        const built: EffectsSummary | undefined = isExecutorUnreachable
          ? NO_EFFECTS
          : await applyChange(executor, site, done.change)
        isExecutorUnreachable ||= built === undefined
        sent.push({ ...done, built: built ?? EXECUTOR_UNREACHABLE })
      }
    } catch (error) {
      const message = describeKnownError(error)
      if (message === undefined) throw error
      return { sent, left: steps.length - at, failure: { step, message } }
    }
    progress.tick()
  }
  return { sent, left: 0 }
}

/** Undefined if the executor is unreachable; the other steps then skip it, so that the push does not wait for a timeout at each frame. */
async function applyChange(
  executor: CliServices['executor'],
  site: Site,
  change: RecordedChange,
): Promise<EffectsSummary | undefined> {
  try {
    return summarizeEffects(await executor.apply(site, change))
  } catch (error) {
    if (isExecutorUnavailable(error)) return undefined
    throw error
  }
}

const EXECUTOR_UNREACHABLE: EffectsSummary = {
  ...NO_EFFECTS,
  bake: 'failed',
  failures: [
    'The executor is unreachable, so this frame and the following ones are not baked yet. They are baked as soon as an executor runs; "wp-frames work" shows what is left.',
  ],
}
