import type { Change } from '../../../change.ts'
import { AppError } from '../../../errors.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import type { CliServices } from '../../cli-context.ts'
import { describeKnownError } from '../../describe-error.ts'
import { putFile } from '../../put-file.ts'
import type { SiteRun } from '../../sites/run-over-sites.ts'
import { type EffectsSummary, NO_EFFECTS, summarizeEffects } from '../../summarize-effects.ts'
import type { FrameFolder } from '../folder/frame-folder.ts'
import { writeManifest } from '../folder/manifest.ts'
import { type PushWrite, type StepResult, applyToFolder, performStep } from './perform-step.ts'
import type { PushStep } from './plan-push.ts'

export type SentStep = StepResult & { readonly built: EffectsSummary }

export type PushOutcome = {
  readonly sent: readonly SentStep[]
  /** How many steps were not begun, or failed. */
  readonly left: number
  /** Why the next one was not done, where something stands in its way. */
  readonly failure?: { readonly step: PushStep; readonly message: string }
}

/**
 * Does the steps one by one, each in its transaction. The manifest is true after each: stopped by Ctrl-C, a crash or a refusal, the next
 * push goes on from there.
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
  let isAway = false
  for (const [at, step] of steps.entries()) {
    if (signal.aborted) return { sent, left: steps.length - at }
    try {
      const done = await db.transaction((tx) => performStep(tx, site, folder, step, write), site)
      if (done) {
        for (const { name, bytes } of await applyToFolder(folder, done, write))
          await putFile(folder.path, name, bytes)
        await writeManifest(folder.path, site, folder.entries.values())
        const built: EffectsSummary | undefined = isAway
          ? NO_EFFECTS
          : await applyChange(executor, site, done.change)
        isAway ||= built === undefined
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

/** Undefined where the executor does not answer: then it is not waited for once more with each frame. */
async function applyChange(
  executor: CliServices['executor'],
  site: Site,
  change: Change,
): Promise<EffectsSummary | undefined> {
  try {
    return summarizeEffects(await executor.apply(site, change))
  } catch (error) {
    if (error instanceof AppError && error.code === 'internal_unavailable') return undefined
    throw error
  }
}

const EXECUTOR_UNREACHABLE: EffectsSummary = {
  ...NO_EFFECTS,
  bake: 'failed',
  failures: [
    'The executor does not answer: from here on nothing is built. "frames bake" does that later.',
  ],
}
