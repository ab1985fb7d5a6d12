import type { CopyTargetKind } from './support/static-copies.ts'

/** The parameters of a run for its trials. */
export type Conditions = {
  /** A few disruptions instead of many: enough to check that a trial works. */
  readonly short: boolean
  /** Duration of the soak, in milliseconds. */
  readonly soakMs: number
  /** Seed of the random numbers: the same seed gives the same writes. */
  readonly seed: number
  /** The commit from which the trial `upgrade` upgrades [the last tag] */
  readonly from?: string | undefined
  /** Where the static copies are. */
  readonly target: CopyTargetKind
  /** A temporary folder of the trial, removed afterwards. */
  readonly folder: string
  /** Reports the progress. */
  progress(line: string): void
}

/** The measurements of a trial, one line each. */
export type Figures = Readonly<Record<string, string | number>>

export type Findings = {
  readonly figures: Figures
  /** Broken guarantees, one sentence each; empty if the trial passed. */
  readonly faults: readonly string[]
}

/** One kind of failure injection, and the guarantees that must hold under it. */
export type Trial = {
  readonly name: string
  /** Describes the failures and the guarantees in a sentence. */
  readonly tries: string
  /** Runs after all other trials, because it measures times. */
  readonly runsAlone?: true
  /** Where the static copies may be [in a folder]. */
  readonly targets?: readonly CopyTargetKind[]
  /** MySQL does not have what it tests. */
  readonly needsMariaDb?: true
  /** @throws Unavailable if the machine lacks something that the trial needs */
  run(conditions: Conditions): Promise<Findings>
}

/** The machine lacks something that a trial needs; the message names it. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}
