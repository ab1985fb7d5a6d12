import { createTwoFilesPatch } from 'diff'
import type { SiteReport } from '../../sites/run-over-sites.ts'
import { formatTable, pluralize, sanitizeForTerminal } from '../../terminal.ts'
import type { StepResult } from './perform-step.ts'
import type { PushPlan, PushProblem, PushStep } from './plan-push.ts'
import type { DryRunStep, PushOutcome, SentStep } from './run-steps.ts'

const PAST_TENSE = {
  create: 'created',
  update: 'updated',
  rename: 'renamed',
  delete: 'deleted',
} as const
const STEP_KINDS = ['create', 'update', 'rename', 'delete'] as const

/** Of a push that can't be: what stands in its way. */
export function reportOnProblems(path: string, problems: readonly PushProblem[]): SiteReport {
  const conflicts = problems.filter(({ kind }) => kind === 'conflict').length
  const others = problems.length - conflicts
  const found = [
    ...(conflicts > 0 ? [pluralize(conflicts, 'conflict')] : []),
    ...(others > 0 ? [pluralize(others, 'frame that cannot be', 'frames that cannot be')] : []),
  ]
  return {
    state: 'failed',
    outcome: `nothing was sent: ${found.join(', ')}`,
    detail:
      formatTable(problems.map(({ kind, file, message }) => [kind, file, message])) +
      (conflicts > 0 ? CONFLICT_ADVICE : ''),
    data: { folder: path, problems },
  }
}

const CONFLICT_ADVICE =
  'Pull to have what the site holds, or send what the files say all the same with push --force.\n'

/** Of a dry run: what would be written, and how it differs. */
export function reportOnDryRun(
  path: string,
  plan: PushPlan,
  rehearsed: readonly DryRunStep[],
): SiteReport {
  const diffs = rehearsed.map((done) => unifiedDiff(done.step.file, done))
  const outcome = tally(
    rehearsed.map(({ step }) => step),
    (count, does) => `${count} to ${does}`,
  )
  return {
    outcome: `dry run: ${outcome}${describeKept(plan)}`,
    detail: rehearsed
      .map((done, at) => `${stepLine(done, done.step.action)}${noteLines(done)}${diffs[at]}`)
      .join(''),
    data: {
      folder: path,
      dry_run: true,
      frames: rehearsed.map((done, at) => ({
        ...stepJson(done),
        // Another is drawn when it is made.
        ...(done.step.action === 'create' ? { id: null } : {}),
        diff: diffs[at],
      })),
      kept: plan.kept,
    },
  }
}

/** Of a push: what was written and built, and how far it came. */
export function reportOnSending(
  path: string,
  plan: PushPlan,
  rehearsed: readonly DryRunStep[],
  { sent, left, failure }: PushOutcome,
): SiteReport {
  const foreseen = new Map(rehearsed.map(({ step, warnings }) => [step, warnings]))
  const results = sent.map((done) => ({
    ...done,
    // A bake tells in its own words what leads nowhere.
    warnings: isBuilt(done)
      ? [...done.warnings, ...done.built.warnings]
      : (foreseen.get(done.step) ?? []),
    failures: done.built.failures,
  }))
  const failures = results.reduce((sum, done) => sum + done.failures.length, 0)
  const isStopped = left > 0 && failure === undefined
  const done = tally(
    sent.map(({ step }) => step),
    (count, does) => `${count} ${PAST_TENSE[does]}`,
  )
  return {
    state: isStopped ? 'stopped' : failure || failures > 0 ? 'failed' : 'done',
    outcome: [
      `${done}${isStopped ? `, ${left} left` : ''}${describeKept(plan)}`,
      ...(failures > 0 ? [`${pluralize(failures, 'failure')} to build`] : []),
      ...(failure ? [`then "${failure.step.slug}" could not be sent: ${failure.message}`] : []),
      ...(isStopped || failure ? ['push again to go on'] : []),
    ].join('; '),
    detail: results
      .map((result) => stepLine(result, PAST_TENSE[result.step.action]) + noteLines(result))
      .join(''),
    data: {
      folder: path,
      dry_run: false,
      frames: results.map((result) => ({
        ...stepJson(result),
        bake: result.built.bake,
        rebaked: result.built.rebaked,
        pages: result.built.pages,
        failures: result.failures,
      })),
      kept: plan.kept,
    },
  }
}

const isBuilt = ({ built }: SentStep): boolean =>
  built.bake === 'baked' || built.bake === 'not_needed'

function tally(
  steps: readonly PushStep[],
  word: (count: number, does: PushStep['action']) => string,
): string {
  const counts = STEP_KINDS.map(
    (does) => [steps.filter((step) => step.action === does).length, does] as const,
  )
  const parts = counts.filter(([count]) => count > 0).map(([count, does]) => word(count, does))
  return parts.join(', ') || 'nothing to send'
}

function describeKept({ kept }: PushPlan): string {
  return kept.length === 0
    ? ''
    : `; ${pluralize(kept.length, 'frame')} without a file kept (--delete deletes): ${kept.map(({ slug }) => slug).join(', ')}`
}

function stepLine({ step, renamed }: StepResult, did: string): string {
  const from = renamed ? ` from ${renamed.from}` : ''
  const others = renamed?.others.size
    ? `, and in ${pluralize(renamed.others.size, 'frame')} that embed it`
    : ''
  return sanitizeForTerminal(`${did.padEnd(7)}  ${step.slug}${from}${others}\n`)
}

function noteLines({
  warnings,
  failures = [],
}: {
  readonly warnings: readonly string[]
  readonly failures?: readonly string[]
}): string {
  return sanitizeForTerminal(
    [...warnings, ...failures].map((text) => `         ${text}\n`).join(''),
  )
}

function stepJson({ step, id, sha256, renamed, warnings }: StepResult): object {
  return {
    did: step.action,
    id,
    slug: step.slug,
    file: step.file,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(renamed ? { from: renamed.from, rewritten: [...renamed.others.keys()] } : {}),
    warnings,
  }
}

/** Two markups that have nothing in common take ever longer to compare. */
const DIFF_TIMEOUT_MS = 2000
const DEV_NULL = '/dev/null'

/**
 * What would change, as `diff -u` tells it; empty where nothing does.
 * @param before undefined for a frame that is new, as `after` is for one that is deleted
 */
export function unifiedDiff(
  file: string,
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
): string {
  if (before === after) return ''
  const patch = createTwoFilesPatch(
    before === undefined ? DEV_NULL : `a/${file}`,
    after === undefined ? DEV_NULL : `b/${file}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { timeout: DIFF_TIMEOUT_MS },
  )
  if (patch === undefined) return `${file} differs in too much to be shown.\n`
  return sanitizeForTerminal(patch.replace(/^=+\n/, ''))
}
