import { useEffect, useRef } from 'preact/hooks'
import { openStream } from './client.ts'

/** Pause between an event and what it causes, in milliseconds: changes come in groups. */
const SOON_MS = 300
/** Pause between two readings that events cause, in milliseconds. */
const BETWEEN_MS = 2000
/** Pause between two readings without a stream, and before it is opened again, in milliseconds. */
const WITHOUT_STREAM_MS = 30_000
/** Pause between two readings of what is still being done, which has no events, in milliseconds. */
const UNFINISHED_MS = 5000
/** A stream that says nothing for this long is lost: the service sends something every 15 seconds. */
const SILENCE_MS = 45_000
/** Pause before a stream is opened again that the service has ended, in milliseconds. */
const REOPEN_MS = 1500

/** What a view shows of a site; 0: of the network. */
export type Live = {
  readonly site: number
  /** Whether it shows something that ends without an event. */
  readonly isUnfinished?: boolean
}

/**
 * Calls `update` soon after something has changed, while the tab is visible. A tab has one stream: that of its view.
 * @param live undefined for a view that does not follow changes
 */
export function useLive(live: Live | undefined, update: () => void): void {
  const latest = useRef(update)
  latest.current = update
  const { site, isUnfinished = false } = live ?? {}
  useEffect(() => {
    if (site === undefined) return undefined
    const following = new Following(site, () => latest.current())
    const onVisibility = () => following.set(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', onVisibility)
    onVisibility()
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      following.set(false)
    }
  }, [site])
  useEffect(() => {
    if (!isUnfinished) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current()
    }, UNFINISHED_MS)
    return () => clearInterval(timer)
  }, [isUnfinished])
}

/** The stream of a site or of the network, and the readings that its events cause. */
class Following {
  readonly #path: string
  readonly #update: () => void
  /** Behind the last event. */
  #cursor = 'now'
  #running: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #updatedAt = Number.NEGATIVE_INFINITY

  constructor(site: number, update: () => void) {
    this.#path = site === 0 ? '/network/changes' : `/site/${site}/changes`
    this.#update = update
  }

  /** Opens the stream, or closes it. */
  set(isOn: boolean): void {
    if (isOn === (this.#running !== undefined)) return
    this.#running?.abort()
    this.#running = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!isOn) return
    this.#running = new AbortController()
    void this.#follow(this.#running.signal)
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isOver = await this.#read(signal).catch(() => false)
      if (signal.aborted) return
      // Events may be missing until it is open again: then it goes on behind the last one.
      if (!isOver) this.#updateSoon()
      await pause(isOver ? REOPEN_MS : WITHOUT_STREAM_MS, signal)
    }
  }

  /** Reads the stream until its end. @returns false if there is none */
  async #read(outer: AbortSignal): Promise<boolean> {
    const lost = new AbortController()
    const abort = () => lost.abort()
    outer.addEventListener('abort', abort)
    let silence = setTimeout(abort, SILENCE_MS)
    try {
      const response = await openStream(this.#path, this.#cursor, lost.signal)
      if (!response.ok || !response.body) return false
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let rest = ''; ; ) {
        const { done, value } = await reader.read()
        if (done) return true
        clearTimeout(silence)
        silence = setTimeout(abort, SILENCE_MS)
        const blocks = (rest + value).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
      }
    } finally {
      clearTimeout(silence)
      outer.removeEventListener('abort', abort)
    }
  }

  /** Takes one block of the stream: an event, an id, or a comment. */
  #take(block: string): void {
    const [, id] = /^id: (.+)$/m.exec(block) ?? []
    if (id !== undefined) this.#cursor = id
    if (/^data:/m.test(block)) this.#updateSoon()
  }

  #updateSoon(): void {
    // While changes come all the time, the first one of them sets the time.
    if (this.#timer !== undefined) return
    const wait = Math.max(SOON_MS, this.#updatedAt + BETWEEN_MS - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#updatedAt = performance.now()
      this.#update()
    }, wait)
  }
}

/** Ends early with the signal. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
