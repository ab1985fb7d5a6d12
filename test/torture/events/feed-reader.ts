import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeEvent } from '../../../src/changes/events/event.ts'

export type FeedReaderOptions = {
  readonly name: string
  readonly token: string
  /** The address for the next request. */
  readonly url: () => string
  readonly limit: number
  /** How long a request waits for events, in seconds. */
  readonly wait: number
  /** Pause after the last event, in milliseconds. */
  readonly pauseMs: number
}

type Page = {
  readonly events: readonly ChangeEvent[]
  readonly cursor: string
  readonly more: boolean
}

/** Pause after a request without an answer: the process was killed, in milliseconds. */
const FAILURE_PAUSE_MS = 100

/** Reads the feed of the network over HTTP from now on. */
export class FeedReader {
  readonly #options: FeedReaderOptions
  readonly events: ChangeEvent[] = []
  /** Requests without an answer or with a refusal. */
  #failures = 0
  #isOver = false
  #cursor = 'now'

  constructor(options: FeedReaderOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  /** What it got, for the report. */
  get summary(): string {
    return `${this.events.length} changes, ${this.#failures} requests without an answer`
  }

  /** Takes the cursor from which it reads. */
  async prepare(): Promise<void> {
    while (this.#cursor === 'now') {
      const page = await this.#read(0)
      if (page) this.#cursor = page.cursor
    }
  }

  /** Reads until `stop` was called and there is nothing more. */
  async run(): Promise<void> {
    const { wait, pauseMs } = this.#options
    for (;;) {
      const isOver = this.#isOver
      const page = await this.#read(isOver ? 0 : wait)
      if (!page) continue
      this.events.push(...page.events)
      this.#cursor = page.cursor
      if (isOver && page.events.length === 0 && !page.more) return
      if (!page.more && !isOver) await sleep(pauseMs)
    }
  }

  /** Nothing is written any more. */
  stop(): void {
    this.#isOver = true
  }

  async #read(wait: number): Promise<Page | undefined> {
    const { url, token, limit } = this.#options
    const query = `since=${this.#cursor}&limit=${limit}&wait=${wait}`
    try {
      const response = await fetch(`${url()}/network/changes?${query}`, {
        headers: { Authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(60_000),
      })
      if (response.ok) return (await response.json()) as Page
      await response.arrayBuffer()
    } catch {
      // The process was killed; the reader goes on at another one.
    }
    this.#failures += 1
    await sleep(FAILURE_PAUSE_MS)
    return undefined
  }
}
