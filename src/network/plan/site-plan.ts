import { sha256Hex } from '../../host/hash.ts'
import type { HistoryAction } from '../../record/history/history-row.ts'

/** What a step writes: the kinds of things that the history records. */
type StepKind = 'frame' | 'menu' | 'location' | 'assignment' | 'dataset'

/** One change of one thing. A step contains no ids of the site, so that equal steps of several sites are equal values, except `ref`. */
export type Step = {
  readonly kind: StepKind
  /** Slug of a frame or menu, a location such as `header:fr`, the path of a page, or the name of a data set. */
  readonly name: string
  readonly action: HistoryAction
  /** The slug before, of a frame or menu that is renamed; the menu or frame before, of a location or page. */
  readonly from?: string | undefined
  /** The menu or frame that a location or page gets. */
  readonly to?: string | undefined
  /** Digest of the content before and after; null if there is none. */
  readonly before: string | null
  readonly after: string | null
  /** The thing in the history; undefined if it does not exist yet. Not part of the digest of a plan. */
  readonly ref?: string | undefined
  /** The change for readers: a unified diff of markup, or one line for each change. Only if the plan was asked for diffs. */
  readonly diff?: string | undefined
}

/** The step of a location or a page that had a menu or a frame, or none, and gets another one, or none. */
export const assignmentStep = (
  thing: Pick<Step, 'kind' | 'name' | 'ref'>,
  from: string | undefined,
  to: string | undefined,
): Step => ({
  ...thing,
  action: to === undefined ? 'cleared' : 'assigned',
  before: from ?? null,
  after: to ?? null,
  from,
  to,
})

/** Why a site does not get what a description says. Nothing of the site is written then. */
export type PlanProblem = {
  /** `site`: the site cannot be read. */
  readonly kind: StepKind | 'site'
  readonly name: string
  readonly reason: string
  /** Position of the item of a menu that has it, such as `0.1`. */
  readonly at?: string | undefined
  /** Begins with the line and the column if it is a problem of markup. */
  readonly message: string
}

/** What is wrong, with the item that has it. */
export const describeProblem = ({ at, message }: Pick<PlanProblem, 'at' | 'message'>): string =>
  at === undefined ? message : `Item ${at}: ${message}`

/** The pages of a site that would be published again. */
export type PlannedPages = {
  readonly total: number
  /** The first of them, ascending. */
  readonly ids: readonly number[]
}

/** What a site lacks of its desired state. */
export type SitePlan = {
  /** In the order in which they are listed; they are written in one transaction. Empty if nothing differs. */
  readonly steps: readonly Step[]
  readonly problems: readonly PlanProblem[]
  /** What prevents nothing, but may be a mistake. Empty if it was not searched. */
  readonly warnings: readonly PlanProblem[]
  /** SHA-256 over the steps. Plans of several sites with the same steps have the same digest. */
  readonly digest: string
  readonly pages: PlannedPages
}

/** Identifies a thing in the steps of a site. */
export const stepKey = ({ kind, name }: Pick<Step, 'kind' | 'name'>): string => `${kind} ${name}`

export function digestOfSteps(steps: readonly Step[]): string {
  return sha256Hex(
    JSON.stringify(
      steps.map(({ kind, name, action, from, to, before, after }) => [
        kind,
        name,
        action,
        from ?? null,
        to ?? null,
        before,
        after,
      ]),
    ),
  )
}

/** The steps of two plans of a site that differ, by the thing: what was expected, and what would be done now. */
export type MovedStep = { readonly expected: Step | undefined; readonly found: Step | undefined }

/** Compares the steps of an earlier plan with those of the present one. */
export function findMoved(expected: readonly Step[], found: readonly Step[]): MovedStep[] {
  const now = new Map(found.map((step) => [stepKey(step), step]))
  const moved: MovedStep[] = []
  for (const step of expected) {
    const other = now.get(stepKey(step))
    now.delete(stepKey(step))
    if (!other || digestOfSteps([step]) !== digestOfSteps([other]))
      moved.push({ expected: step, found: other })
  }
  return [...moved, ...[...now.values()].map((step) => ({ expected: undefined, found: step }))]
}

/** `user 3, token "deploy", at 2026-03-01 09:30:00`, or `another program`. */
export function describeWriter(
  writer:
    | {
        readonly user_id: number | null
        readonly label: string | null
        readonly created_at: string
      }
    | null
    | undefined,
): string {
  if (!writer) return 'another program'
  const { user_id, label, created_at } = writer
  const who = [
    ...(user_id === null ? [] : [`user ${user_id}`]),
    ...(label === null ? [] : [describeLabel(label)]),
  ]
  return `${who.join(', ') || 'the service'}, at ${created_at.slice(0, 19)}`
}

/** `cli deploy@web1` is the label of a command. */
function describeLabel(label: string): string {
  const [, account] = /^cli(?: (.+))?$/.exec(label) ?? []
  if (account !== undefined) return `a command of ${account}`
  return label === 'cli' ? 'a command' : `token "${label}"`
}
