import type { Facts } from './facts.ts'

/** The changes of a write: new values of facts, undefined for deleted ones. */
export type Changes = ReadonlyMap<string, string | undefined>

/** The facts after a write. */
function changed(facts: Facts, changes: Changes): Facts {
  const after = new Map(facts)
  for (const [name, value] of changes) {
    if (value === undefined) after.delete(name)
    else after.set(name, value)
  }
  return after
}

/**
 * The facts that must exist according to one writer: all acknowledged writes, and at most one write without an answer, which may or may
 * not have been stored.
 */
export class Ledger {
  /** Whether a fact belongs to this writer. */
  readonly #isOwn: (name: string) => boolean
  #sure: Facts = new Map()
  #open: Changes | undefined

  constructor(isOwn: (name: string) => boolean) {
    this.#isOwn = isOwn
  }

  get facts(): Facts {
    return this.#sure
  }

  /** A write was sent: until its answer it may be stored or not. */
  open(changes: Changes): void {
    this.#open = changes
  }

  /** The write was acknowledged. */
  store(): void {
    if (this.#open) this.#sure = changed(this.#sure, this.#open)
    this.#open = undefined
  }

  /** The write was refused. */
  drop(): void {
    this.#open = undefined
  }

  /**
   * Compares the ledger with the stored facts, and continues from these.
   * @returns a sentence for each fact that is neither the acknowledged one nor, together with all others of that write, the result of the unanswered write
   */
  settle(found: Facts): string[] {
    const own: Facts = new Map([...found].filter(([name]) => this.#isOwn(name)))
    const without = differences(this.#sure, own)
    const withIt = this.#open && differences(changed(this.#sure, this.#open), own)
    this.#sure = own
    this.#open = undefined
    return without.length === 0 || withIt?.length === 0 ? [] : shorter(without, withIt)
  }
}

function shorter(one: string[], other: string[] | undefined): string[] {
  return other && other.length < one.length ? other : one
}

function differences(expected: Facts, found: Facts): string[] {
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((name) => expected.get(name) !== found.get(name))
    .map((name) => `${name} is ${quote(found.get(name))}, expected ${quote(expected.get(name))}`)
}

function quote(value: string | undefined): string {
  return value === undefined ? 'missing' : JSON.stringify(value.slice(0, 120))
}
