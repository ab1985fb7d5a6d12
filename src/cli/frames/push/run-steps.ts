import type { Change } from '../../../change.ts'
import type { Database } from '../../../db/database.ts'
import { AppError, DomainError } from '../../../errors.ts'
import { resolveReferences } from '../../../frames/frame-markup.ts'
import { readSiteGraph } from '../../../frames/read-graph.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { type CliServices, CommandError } from '../../cli-context.ts'
import { describeKnownError } from '../../describe-error.ts'
import { putFile } from '../../put-file.ts'
import type { SiteRun } from '../../sites/run-over-sites.ts'
import { type EffectsSummary, NO_EFFECTS, summarizeEffects } from '../../summarize-effects.ts'
import { decodeMarkup, type FrameFolder } from '../folder/frame-folder.ts'
import { writeManifest } from '../folder/manifest.ts'
import { findStoredFrame } from '../site-frames.ts'
import {
  applyToFolder,
  copyFolder,
  type PushWrite,
  performStep,
  type StepResult,
} from './perform-step.ts'
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
  return db.write({ site, dryRun: true }, async (tx) => {
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
      rehearsed: rehearsed.map((done) => ({
        ...done,
        warnings: [
          ...done.warnings,
          ...missingOf(done.id).map((ref) => `it embeds "${ref}", which is no frame`),
        ],
      })),
    }
  })
}

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
      const done = await db.write({ site }, (tx) => performStep(tx, site, folder, step, write))
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
