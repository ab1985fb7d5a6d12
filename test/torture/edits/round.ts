import { setTimeout as sleep } from 'node:timers/promises'
import { isRetryable } from '../../../src/db/database-error.ts'
import type { Random } from '../support/random.ts'
import type { Tally } from '../support/tally.ts'
import type { Writers } from '../support/writers.ts'
import type { EditDisruption } from './disruptions.ts'
import type { AnyEdit, Editor } from './editor.ts'

/** The disruption begins within this time, in milliseconds. */
const MAX_DELAY_MS = 400
/** Between two edits, at most, in milliseconds. */
const MAX_PAUSE_MS = 150

export type RoundOptions = {
  readonly writers: Writers
  readonly editor: Editor
  readonly random: Random
  readonly disruption: EditDisruption
  /** Whether PHP makes a part of the edits. */
  readonly byPhp: boolean
}

/** Some edits of a site beside writes of the service, with a disruption in the middle. */
export class Round {
  readonly #options: RoundOptions
  readonly #edits: readonly AnyEdit[]
  #end = 0

  constructor(options: RoundOptions) {
    this.#options = options
    this.#edits = options.editor.chooseEdits(options.byPhp)
  }

  /** When the disruption, all edits and all writes had ended, by `performance.now()`. */
  get end(): number {
    return this.#end
  }

  get description(): string {
    return JSON.stringify(this.#edits)
  }

  /** @returns a sentence for each fault */
  async run(tally: Tally): Promise<string[]> {
    const { writers, editor, random, disruption } = this.#options
    const faults: string[] = []
    const phase = { isRefusing: false, isOver: false }
    await editor.open()
    const disrupt = async (): Promise<void> => {
      await sleep(random.below(MAX_DELAY_MS))
      phase.isRefusing = disruption.refuses
      await disruption.inflict().catch((error) => faults.push(String(error)))
    }
    const disrupting = disrupt()
    const writing = writers.writeUntil(({ kind, answer }) => {
      const found = tally.count(kind, answer)
      if (answer.status === undefined) found.push(`${kind} had no answer: ${answer.reason}`)
      const isRefusal = answer.status === undefined || answer.status >= 500
      if (!phase.isRefusing || !isRefusal) faults.push(...found)
      return !phase.isOver && !isRefusal
    })
    const [last, ...others] = this.#edits
    for (const edit of others) faults.push(...(await this.#make(edit, disrupting, phase)))
    await disrupting
    phase.isOver = true
    await writing
    // Nothing follows the last edit that could be the occasion to notice it.
    if (last) faults.push(...(await this.#make(last, disrupting, phase)))
    this.#end = performance.now()
    return faults
  }

  async #make(
    edit: AnyEdit,
    disrupting: Promise<void>,
    phase: { readonly isRefusing: boolean },
  ): Promise<string[]> {
    const { editor, random, disruption } = this.#options
    await sleep(random.below(MAX_PAUSE_MS))
    try {
      await editor.make(edit)
    } catch (error) {
      if (disruption.stopsEdits && phase.isRefusing) await disrupting
      // WordPress ignores it, too.
      else if (!isRetryable(error)) return [`an edit failed: ${error}`]
    }
    return []
  }
}
