import type { Facts } from './facts.ts'

/** What a write makes of facts: their new values, undefined for what is gone afterwards. */
export type Changes = ReadonlyMap<string, string | undefined>

/** Facts after a write. */
export function changed(facts: Facts, changes: Changes): Facts {
  const after = new Map(facts)
  for (const [name, value] of changes) {
    if (value === undefined) after.delete(name)
    else after.set(name, value)
  }
  return after
}

/**
 * What one writer knows must be there, by its own book: what was acknowledged, and at most one write of which it never heard whether it
 * was stored.
 */
export class Ledger {
  /** Tells the writer's own facts from others'. */
  readonly #isOwn: (name: string) => boolean
  #sure: Facts = new Map()
  #open: Changes | undefined

  constructor(isOwn: (name: string) => boolean) {
    this.#isOwn = isOwn
  }

  get facts(): Facts {
    return this.#sure
  }

  /** A write is sent: until it is answered it may be stored or not. */
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
   * Compares the book with what is there, and goes on from there.
   * @returns a sentence for each fact that is neither what was acknowledged nor, with all the others of that write, what the last write would have made
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
    .map((name) => `${name} is ${told(found.get(name))}, expected ${told(expected.get(name))}`)
}

function told(value: string | undefined): string {
  return value === undefined ? 'missing' : JSON.stringify(value.slice(0, 120))
}
