/** Codes of the system for a disk that accepts no data: full, over the quota of its user, read-only, damaged. */
const STORAGE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** True if the disk accepts no data now: a condition of the system, not of one file. */
export function isStorageError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && STORAGE_CODES.has(String(error.code))
}
