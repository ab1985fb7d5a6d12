/** Codes of the system for a disk or process that accepts nothing now: a condition of the system, not of one file. */
const OUTAGE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ESTALE', 'EMFILE', 'ENFILE'])

/** True for the code of an error that fails all other copies as well. */
export const isOutageCode = (code: string): boolean => OUTAGE_CODES.has(code)

/** The code of an error of the system; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
