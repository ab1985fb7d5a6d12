import { createHash } from 'node:crypto'
import { AppError } from './errors.ts'

/** Words that tell the versions of one thing apart; `any` stands for whichever there is. */
export type EntityTags = 'any' | readonly string[]

/** What a writer expects of the thing it writes to (RFC 9110, section 13.1): checked under the thing's lock, never before. */
export type Precondition = {
  /** Its version is one of these. */
  readonly ifMatch?: EntityTags
  /** Its version is none of these; of `any`, it is not there. */
  readonly ifNoneMatch?: EntityTags
}

/** How a thing stands, and who changed it last, as far as the tables know. */
export type CurrentVersion = {
  readonly version: string
  /** Id of the user. */
  readonly updated_by: number | null
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly updated_at_gmt: string | null
}

/** The version of what consists of these parts: other parts, another word. */
export function versionOf(parts: readonly unknown[]): string {
  return shortHash(JSON.stringify(parts))
}

/** A word for a text, or its bytes: another text, another word. */
export function shortHash(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/**
 * @param what the thing in words, as in `The frame "header"`
 * @param current undefined where it is not there
 * @throws AppError `precondition_failed` with the fields of `current`
 */
export function assertPrecondition(
  { ifMatch: oneOf, ifNoneMatch: noneOf }: Precondition,
  what: string,
  current: CurrentVersion | undefined,
): void {
  if (oneOf !== undefined && !matchesAny(oneOf, current)) {
    throw new AppError(
      'precondition_failed',
      current
        ? `${what} is not as you expect it to be: ${describeLastChange(current)}. Read it again, and send your change to what it is now.`
        : `${what} is not there, so it is in no version that you could expect.`,
      { ...current },
    )
  }
  if (noneOf !== undefined && matchesAny(noneOf, current)) {
    throw new AppError(
      'precondition_failed',
      `${what} is there already, and you expect it not to be: ${current ? describeLastChange(current) : ''}. Change it without that condition, or leave it.`,
      { ...current },
    )
  }
}

function matchesAny(versions: EntityTags, current: CurrentVersion | undefined): boolean {
  if (!current) return false
  return versions === 'any' || versions.includes(current.version)
}

function describeLastChange({ updated_by: by, updated_at_gmt: at }: CurrentVersion): string {
  if (at === null) return 'nobody noted who changed it last'
  return `it was changed last at ${at} GMT by ${by ? `user ${by}` : 'somebody who was not noted'}`
}
