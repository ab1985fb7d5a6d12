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

/** Reports the problems that prevent a push. */
export function reportOnProblems(path: string, problems: readonly PushProblem[]): SiteReport {
  const conflicts = problems.filter(({ kind }) => kind === 'conflict').length
  const others = problems.length - conflicts
  const found = [
    ...(conflicts > 0 ? [pluralize(conflicts, 'conflict')] : []),
    ...(others > 0 ? [pluralize(others, 'invalid frame')] : []),
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
  'Pull to get the changes of the site, or overwrite them with push --force.\n'

/** Reports the result of a dry run with diffs. */
export function reportOnDryRun(
  path: string,
  plan: PushPlan,
  results: readonly DryRunStep[],
): SiteReport {
  const diffs = results.map((done) => unifiedDiff(done.step.file, done))
  const outcome = tally(
    results.map(({ step }) => step),
    (count, action) => `${count} to ${action}`,
  )
  return {
    outcome: `dry run: ${outcome}${describeKept(plan)}`,
    detail: results
      .map((done, at) => `${stepLine(done, done.step.action)}${noteLines(done)}${diffs[at]}`)
      .join(''),
    data: {
      folder: path,
      dry_run: true,
      frames: results.map((done, at) => ({
        ...stepJson(done),
        // The id is random, so the real push will use another one.
        ...(done.step.action === 'create' ? { id: null } : {}),
        diff: diffs[at],
      })),
      kept: plan.kept,
    },
  }
}

/** Reports what a push wrote and baked. */
export function reportOnSending(
  path: string,
  plan: PushPlan,
  dryRun: readonly DryRunStep[],
  { sent, left, failure }: PushOutcome,
): SiteReport {
  const expectedWarnings = new Map(dryRun.map(({ step, warnings }) => [step, warnings]))
  const results = sent.map((done) => ({
    ...done,
    // A bake reports missing references itself.
    warnings: isBuilt(done)
      ? [...done.warnings, ...done.built.warnings]
      : (expectedWarnings.get(done.step) ?? []),
    failures: done.built.failures,
  }))
  const failures = results.reduce((sum, done) => sum + done.failures.length, 0)
  const isStopped = left > 0 && failure === undefined
  const done = tally(
    sent.map(({ step }) => step),
    (count, action) => `${count} ${PAST_TENSE[action]}`,
  )
  return {
    state: isStopped ? 'stopped' : failure || failures > 0 ? 'failed' : 'done',
    outcome: [
      `${done}${isStopped ? `, ${left} left` : ''}${describeKept(plan)}`,
      ...(failures > 0 ? [`${pluralize(failures, 'failure')} while baking`] : []),
      ...(failure ? [`then "${failure.step.slug}" could not be sent: ${failure.message}`] : []),
      ...(isStopped || failure ? ['push again to continue'] : []),
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
  format: (count: number, action: PushStep['action']) => string,
): string {
  const counts = STEP_KINDS.map(
    (action) => [steps.filter((step) => step.action === action).length, action] as const,
  )
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, action]) => format(count, action))
  return parts.join(', ') || 'nothing to send'
}

function describeKept({ kept }: PushPlan): string {
  return kept.length === 0
    ? ''
    : `; ${pluralize(kept.length, 'frame')} without a file kept (use --delete to delete): ${kept.map(({ slug }) => slug).join(', ')}`
}

function stepLine({ step, renamed }: StepResult, did: string): string {
  const from = renamed ? ` from ${renamed.from}` : ''
  const others = renamed?.others.size
    ? `, and in ${pluralize(renamed.others.size, 'embedder')}`
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

/** A limit, because the comparison of very different texts takes quadratic time. */
const DIFF_TIMEOUT_MS = 2000
const DEV_NULL = '/dev/null'

/**
 * The change in the format of `diff -u`; empty if there is none.
 * @param before undefined for a new frame, as `after` is for a deleted one
 */
function unifiedDiff(
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
  if (patch === undefined) return `The changes in ${file} are too large to show.\n`
  return sanitizeForTerminal(patch.replace(/^=+\n/, ''))
}
