import { readFileSync, statSync } from 'node:fs'

/** What a file must be: its content must pass the test. Undefined: there is no such file. */
export type Expectation = {
  readonly file: string
  readonly isTrue: (html: string | undefined) => boolean
}

/** Pause between two looks at a file, in milliseconds: the precision of the measured times. */
const LOOK_MS = 2

type Watched = Expectation & {
  /** Identifies the file that did not pass the test. */
  seen: string
  readonly done: () => void
}

/** Looks at the files of static copies until they are as expected. */
export class CopyWatch {
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined

  /** Resolves to the time, by `performance.now()`, at which the file was first found as expected; undefined if the signal is aborted. */
  until(expectation: Expectation, signal: AbortSignal): Promise<number | undefined> {
    return new Promise((resolve) => {
      const watched: Watched = { ...expectation, seen: '', done: () => end(performance.now()) }
      const giveUp = (): void => end(undefined)
      signal.addEventListener('abort', giveUp)
      const end = (at: number | undefined): void => {
        signal.removeEventListener('abort', giveUp)
        this.#watched.delete(watched)
        if (this.#watched.size === 0) this.#stop()
        resolve(at)
      }
      this.#watched.add(watched)
      this.#timer ??= setInterval(() => this.#look(), LOOK_MS)
    })
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    for (const watched of this.#watched) {
      const identity = identityOf(watched.file)
      if (identity === watched.seen) continue
      watched.seen = identity
      if (isMet(watched)) watched.done()
    }
  }
}

/** Whether a file is as expected now. */
export const isMet = ({ file, isTrue }: Expectation): boolean => isTrue(contentOf(file))

/** Copies are renamed to their location, so a new one is another file. '-' if there is none. */
function identityOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeMs}` : '-'
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The file contains the text. */
export const shows = (file: string, text: string): Expectation => ({
  file,
  isTrue: (html) => html?.includes(text) ?? false,
})

/** There is a file, and it does not contain the text. */
export const hides = (file: string, text: string): Expectation => ({
  file,
  isTrue: (html) => html !== undefined && !html.includes(text),
})

/** There is no file. */
export const isGone = (file: string): Expectation => ({
  file,
  isTrue: (html) => html === undefined,
})
