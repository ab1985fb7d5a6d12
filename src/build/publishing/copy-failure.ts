import { OperatorError } from '../../host/errors.ts'
import { type CopyFailure, CopyTargetError, UnusableTargetError } from './copy-store.ts'
import type { FileError } from './folder-thread.ts'
import { isOutageCode } from './storage-error.ts'

/** What failed, and how the message goes on after it. */
type FailedCopy = Partial<CopyFailure> & {
  readonly purpose: 'write' | 'remove'
  /** The folder relative to STATIC_DIR, or the key of the object. */
  readonly name: string
  readonly problem: string
  readonly reason: string
}

/** A path may be longer than the column of the message. */
const MAX_NAME = 200

/** Describes a failure. */
export function copyFailure({
  purpose,
  name,
  problem,
  reason,
  isTemporary = false,
  isOutage = false,
}: FailedCopy): CopyFailure {
  const where = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name
  const sentence =
    purpose === 'remove'
      ? `Visitors see a page that should not be there: the static copy in "${where}" cannot be removed`
      : `The static copy in "${where}" cannot be written`
  const code = purpose === 'remove' ? 'exposed' : 'unwritable'
  return { code, message: sentence + problem, reason, isTemporary, isOutage }
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES:
    'Give the operating system user of the service write permission on this folder and those in it (chown or chmod).',
  EPERM: 'Make this folder writable for the operating system user of the service.',
  EROFS: 'The file system is read-only: mount it writable.',
  ENOSPC: 'The disk is full: free some space.',
  EDQUOT: 'The disk quota is used up: free some space.',
  // The code of a `StaticPathError`.
  STATIC_PATH: 'A symbolic link leads out of the folder of the static copies: remove it.',
}

/** Describes a failure by the error of the file system, which comes from the thread. */
export function fileFailure(
  { code, message: reason }: FileError,
  failed: Pick<FailedCopy, 'purpose' | 'name'>,
): CopyFailure {
  const known = code === '' ? '' : ` (${code})`
  const problem = `${known}. ${ADVICE[code] ?? 'Check this folder and the file system.'}`
  return copyFailure({ ...failed, problem, reason, isOutage: isOutageCode(code) })
}

/** Thrown where the failure of one copy ends everything. The message is for clients. */
export class CopyFailedError extends OperatorError {
  override readonly name = 'CopyFailedError'
  readonly failure: CopyFailure

  constructor(failure: CopyFailure) {
    super(failure.message)
    this.failure = failure
  }
}

export const isFailure = (outcome: object): outcome is CopyFailure => 'isOutage' in outcome

/** True for the failure of a copy that fails all others as well. */
export const isOutage = (outcome: object): outcome is CopyFailure =>
  isFailure(outcome) && outcome.isOutage

/** @throws CopyFailedError if a copy failed */
export function assertNoFailure(outcomes: ReadonlyMap<number, object>): void {
  for (const outcome of outcomes.values())
    if (isFailure(outcome)) throw new CopyFailedError(outcome)
}

/** Whether the target of the static copies is busy or away, so that the same may succeed soon. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof CopyFailedError) return error.failure.isTemporary
  return error instanceof CopyTargetError && !(error instanceof UnusableTargetError)
}
