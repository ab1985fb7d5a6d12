import { createHash } from 'node:crypto'
import { AppError } from './errors.ts'

/** Entity tags, without quotes. `any` is `*`: it matches any existing version. */
export type EntityTags = 'any' | readonly string[]

/** The conditions of a write on the current version of its target (RFC 9110, section 13.1). They are checked under the target's lock. */
export type Precondition = {
  /** The current version must be one of these. */
  readonly ifMatch?: EntityTags
  /** The current version must be none of these; for `any`, the target must not exist. */
  readonly ifNoneMatch?: EntityTags
}

/** The version of a frame or menu, and who changed it last, as far as the tables record it. */
export type CurrentVersion = {
  readonly version: string
  /** Id of the user. */
  readonly updated_by: number | null
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly updated_at_gmt: string | null
}

/** A version: a hash of everything that the version covers. */
export function versionOf(parts: readonly unknown[]): string {
  return shortHash(JSON.stringify(parts))
}

/** Short, URL-safe SHA-256 of a text or of bytes: 22 characters, 132 bits. */
export function shortHash(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/**
 * @param target the target's kind and name, as in `The frame "header"`
 * @param current undefined if the target does not exist
 * @throws AppError `precondition_failed` with the fields of `current`
 */
export function assertPrecondition(
  { ifMatch, ifNoneMatch }: Precondition,
  target: string,
  current: CurrentVersion | undefined,
): void {
  if (ifMatch !== undefined && !matchesAny(ifMatch, current)) {
    throw new AppError(
      'precondition_failed',
      current
        ? `${target} has changed since you read it (last change: ${describeLastChange(current)}). Fetch it again and reapply your change.`
        : `${target} does not exist, so If-Match cannot succeed.`,
      { ...current },
    )
  }
  if (ifNoneMatch !== undefined && current && matchesAny(ifNoneMatch, current)) {
    throw new AppError(
      'precondition_failed',
      `${target} already exists in a version that If-None-Match excludes (last change: ${describeLastChange(current)}). Send the request without If-None-Match to change it.`,
      { ...current },
    )
  }
}

function matchesAny(tags: EntityTags, current: CurrentVersion | undefined): boolean {
  if (!current) return false
  return tags === 'any' || tags.includes(current.version)
}

function describeLastChange({ updated_by: by, updated_at_gmt: at }: CurrentVersion): string {
  // WordPress and the service write a zero date where the time is unknown.
  if (at === null || at.startsWith('0000')) return 'author and time unknown'
  return `${at} GMT by ${by ? `user ${by}` : 'an unknown user'}`
}
