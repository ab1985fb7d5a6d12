/** What a run gives its trials. */
export type Conditions = {
  /** A few injuries instead of many: enough to see that a trial works. */
  readonly short: boolean
  /** How long the soak lasts, in milliseconds. */
  readonly soakMs: number
  /** What chance is made of: the same one gives the same writes. */
  readonly seed: number
  /** A folder of the trial's own, removed afterwards. */
  readonly folder: string
  /** Tells whoever waits how far it is. */
  progress(line: string): void
}

/** What a trial has measured, a line each. */
export type Figures = Readonly<Record<string, string | number>>

export type Findings = {
  readonly figures: Figures
  /** What must not be, a sentence each; none where the service stood it. */
  readonly faults: readonly string[]
}

/** One way of doing harm to the service, and what must hold all the same. */
export type Trial = {
  readonly name: string
  /** What is done and what must hold, in a sentence. */
  readonly tries: string
  /** @throws Unavailable where the machine lacks what it takes */
  run(conditions: Conditions): Promise<Findings>
}

/** The machine lacks what a trial takes; the message says what. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}
