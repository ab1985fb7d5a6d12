import type { Executor } from '../../build/executor/executor.ts'
import type { CopyStore } from '../../build/publishing/copy-store.ts'
import type { Database } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import type { TableState } from '../../wordpress/health/read-tables.ts'
import type { Right } from '../../wordpress/health/tables-and-rights.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { CHECKS, type CheckCode } from './check-codes.ts'

/** The services that checks and fixes need. */
export type DoctorServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly executor: Executor
  /** The static copies; undefined if they are turned off. */
  readonly copies: CopyStore | undefined
  /** Sentences about misspelt variables [none]. */
  readonly suspectVariables?: readonly string[]
  /** Account that reads the binlog; undefined without a change feed. */
  readonly feedUrl?: string | undefined
  readonly now: () => Date
  /** The rights of the database user on all tables, if they were read for several sites [read for each site]. */
  readonly commonRights?: ReadonlySet<Right>
  /** The states of the tables of several sites, by name, if they were read for all of them [read for each site]. */
  readonly tableStates?: ReadonlyMap<string, TableState> | undefined
}

/**
 * `error`: visitors or API clients get wrong results, or the service cannot work. `warning`: the data is inconsistent. `info`: worth
 * knowing.
 */
type Severity = (typeof SEVERITIES)[number]

/** The most severe first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const

/** `editor`: here or in WordPress. `operator`: with access to the server, the database or the settings. */
export const FIXERS = ['editor', 'operator'] as const

export const SUBJECTS = ['frame', 'menu', 'page'] as const

/** A frame by its slug or id; a menu, perhaps one of its items, or a page by its id. */
export type Subject = {
  readonly kind: (typeof SUBJECTS)[number]
  readonly ref: string
  readonly item?: number
}

/** An inconsistency that a check found. */
export type Problem = {
  /** The kind of problem; stable between runs and releases. */
  readonly check: CheckCode
  readonly severity: Severity
  /** What is wrong, in the language of editors. */
  readonly title: string
  /** What the check found, as a sentence. */
  readonly message: string
  /** What visitors see, or why it matters. */
  readonly impact: string
  /** How a person fixes it, and who can do that. */
  readonly fixHint: string
  readonly fixedBy: (typeof FIXERS)[number]
  /** What it concerns, if that is one thing of the site. */
  readonly about?: Subject
  /** How the doctor fixes it; undefined when only a person can decide what is right. Several problems may share one fix. */
  readonly fix?: Fix
  /** The other checks of the site, or of the network, would fail too [false]. */
  readonly isFatal?: boolean
}

export type Fix = {
  /** What the fix does, as a sentence. */
  readonly summary: string
  /** Applies the fix; does nothing if the problem no longer exists. */
  apply(services: DoctorServices): Promise<void>
}

/** A problem and the blog id of its site; null for a problem of the network. */
export type Finding = Problem & { readonly site: number | null }

/** What a check says of a problem besides the table. */
type ProblemDetails = Partial<Omit<Problem, 'check' | 'title' | 'message' | 'fixedBy'>>

/**
 * A problem with this code, as the table describes it.
 * @param message what the check found, as a sentence
 * @param details what it is about, how the doctor fixes it, and what is different in this case
 * @param values of `{name}` in the impact and in the hint of the table
 */
export function found(
  check: CheckCode,
  message: string,
  details: ProblemDetails = {},
  values: Readonly<Record<string, unknown>> = {},
): Problem {
  const fill = (text: string): string =>
    Object.entries(values).reduce(
      (filled, [name, value]) => filled.replaceAll(`{${name}}`, () => String(value)),
      text,
    )
  const { impact, fixHint, ...row } = CHECKS[check]
  return { check, ...row, message, impact: fill(impact), fixHint: fill(fixHint), ...details }
}

/** The frame with this slug or id, or the menu or page with this id. */
export const subject = (kind: Subject['kind'], ref: string | number): Subject => ({
  kind,
  ref: String(ref),
})

/** For `catch` after a read: a missing table has its own finding. @returns what is read instead */
export const ifTableMissing =
  <T>(none: T) =>
  (error: unknown): T => {
    if (isMissingTable(error)) return none
    throw error
  }

/** How many things one transaction of a fix changes: small batches keep locks short, and a later failure does not undo them. */
export const FIX_BATCH_SIZE = 50

/** Names or ids for a sentence: the first ones and the number of the others. */
export function formatList(values: readonly (string | number)[], most = 10): string {
  const shown = values.slice(0, most).join(', ')
  const more = values.length - most
  return more > 0 ? `${shown} and ${more} more` : shown
}
