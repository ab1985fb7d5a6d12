/** What the system says of a path at which there is nothing: no entry, a file for a folder, names longer than it takes. */
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/** Did a file operation fail because nothing is there? */
export function isFileNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_FOUND_CODES.has(String(error.code))
}
