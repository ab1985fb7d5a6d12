import { readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a file must be: its content must pass the test. Undefined: there is no such file. */
export type Expectation = {
  readonly file: string
  readonly isTrue: (html: string | undefined) => boolean
}

/** Pause between two looks at a file, in milliseconds: the precision of the measured times. */
const LOOK_MS = 2

/**
 * Looks at the file of a static copy until it is as expected.
 * @returns the time, by `performance.now()`, at which it was first found so; undefined if the signal is aborted
 */
export async function untilMet(
  expectation: Expectation,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (let seen = ''; !signal.aborted; await sleep(LOOK_MS)) {
    const identity = identityOf(expectation.file)
    if (identity === seen) continue
    seen = identity
    if (isMet(expectation)) return performance.now()
  }
  return undefined
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

/** There is no file. */
export const isGone = (file: string): Expectation => ({
  file,
  isTrue: (html) => html === undefined,
})
