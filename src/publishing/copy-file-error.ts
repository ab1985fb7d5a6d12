import { relative } from 'node:path'
import { OperatorError } from '../errors.ts'
import type { PageFailureCode } from '../work/complete-work.ts'
import { CopyTargetError, UnusableTargetError } from './copy-target.ts'

/** A static copy cannot be written or removed. The message is for clients: it names the folder relative to STATIC_DIR, or the object. */
export class CopyFileError extends OperatorError {
  override readonly name = 'CopyFileError'
  /** That of the system. */
  readonly code: string
  readonly failure: PageFailureCode
  /** The target refuses the copy for the moment. */
  readonly isTemporary: boolean

  constructor(
    message: string,
    code: string,
    failure: PageFailureCode,
    cause: Error,
    isTemporary = false,
  ) {
    super(message, { cause })
    this.code = code
    this.failure = failure
    this.isTemporary = isTemporary
  }
}

/** Whether the target of the static copies is busy or away, so that the same may succeed soon. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof CopyFileError) return error.isTemporary
  return error instanceof CopyTargetError && !(error instanceof UnusableTargetError)
}

/** What is stored with a page that failed. */
export const codeOf = (error: unknown): PageFailureCode =>
  error instanceof CopyFileError ? error.failure : 'failed'

const ADVICE: Readonly<Record<string, string>> = {
  EACCES:
    'Give the operating system user of the service write permission on this folder and those in it (chown or chmod).',
  EPERM: 'Make this folder writable for the operating system user of the service.',
  EROFS: 'The file system is read-only: mount it writable.',
  ENOSPC: 'The disk is full: free some space.',
  EDQUOT: 'The disk quota is used up: free some space.',
}

const GENERAL_ADVICE = 'Check this folder and the file system.'

/** A path may be longer than the column of the message. */
const MAX_NAME = 200

const shortened = (name: string): string =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name

/** Names the folder in an error of the file system. Other errors stay as they are. */
export function namingFolder(
  error: Error,
  { staticDir, folder }: { readonly staticDir: string; readonly folder: string },
  purpose: 'write' | 'remove',
): Error {
  const code = 'code' in error ? String(error.code) : ''
  if (!/^E[A-Z]+$/.test(code)) return error
  const name = `"${shortened(relative(staticDir, folder))}"`
  const advice = ADVICE[code] ?? GENERAL_ADVICE
  if (purpose === 'remove') {
    const message = `Visitors see a page that should not be there: the static copy in ${name} cannot be removed (${code}). ${advice}`
    return new CopyFileError(message, code, 'exposed', error)
  }
  const message = `The static copy in ${name} cannot be written (${code}). ${advice}`
  return new CopyFileError(message, code, 'unwritable', error)
}
