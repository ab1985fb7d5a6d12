import { useEffect, useRef } from 'preact/hooks'
import { sleep } from '../../client/src/retrying-fetch.ts'
import { openStream } from './client.ts'

/** Pause between an event and what it causes, in milliseconds: changes come in groups. */
const SOON_MS = 300
/** Pause between two readings that events cause, in milliseconds. */
const BETWEEN_MS = 2000
/** Pause between two readings without a stream, and before it is opened again, in seconds. */
const WITHOUT_STREAM = 30
/** Pause between two readings of what is still being done, which has no events, in milliseconds. */
const UNFINISHED_MS = 5000
/** A stream that says nothing for this long is lost: the service sends something every 15 seconds. */
const SILENCE_MS = 45_000
/** Pause before a stream is opened again that the service has ended, in seconds. */
const REOPEN = 1.5

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
    const follow = following(site, () => latest.current())
    let running: AbortController | undefined
    const onVisibility = () => {
      running?.abort()
      running = document.visibilityState === 'visible' ? new AbortController() : undefined
      if (running) void follow(running.signal)
    }
    document.addEventListener('visibilitychange', onVisibility)
    onVisibility()
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      running?.abort()
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

/** Follows the stream of a site or of the network until the signal ends it, from where it was ended before. */
function following(site: number, update: () => void): (signal: AbortSignal) => Promise<void> {
  const path = site === 0 ? '/network/changes' : `/site/${site}/changes`
  /** Behind the last event. */
  let cursor = 'now'
  let updatedAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  const updateSoon = () => {
    // While changes come all the time, the first one of them sets the time.
    timer ??= setTimeout(
      () => {
        timer = undefined
        updatedAt = performance.now()
        update()
      },
      Math.max(SOON_MS, updatedAt + BETWEEN_MS - performance.now()),
    )
  }
  /** Takes one block of the stream: an event, an id, or a comment. */
  const take = (block: string) => {
    cursor = /^id: (.+)$/m.exec(block)?.[1] ?? cursor
    if (/^data:/m.test(block)) updateSoon()
  }
  /** Reads the stream until its end. @returns false if there is none */
  const read = async (signal: AbortSignal): Promise<boolean> => {
    const lost = new AbortController()
    const listen = () => setTimeout(() => lost.abort(), SILENCE_MS)
    let silence = listen()
    try {
      const response = await openStream(path, cursor, AbortSignal.any([signal, lost.signal]))
      if (!response.ok || !response.body) return false
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let rest = ''; ; ) {
        const { done, value } = await reader.read()
        if (done) return true
        clearTimeout(silence)
        silence = listen()
        const blocks = (rest + value).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(block)
      }
    } finally {
      clearTimeout(silence)
    }
  }
  return async (signal) => {
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      timer = undefined
    })
    while (!signal.aborted) {
      const isOver = await read(signal).catch(() => false)
      if (signal.aborted) return
      // Events may be missing until it is open again: then it goes on behind the last one.
      if (!isOver) updateSoon()
      await sleep(isOver ? REOPEN : WITHOUT_STREAM, signal).catch(() => {})
    }
  }
}
