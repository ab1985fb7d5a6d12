import { OperatorError } from './errors.ts'

/**
 * Loads a part of the package for the move from an old endpoint (`packages/migration`), which an operator who has moved may delete.
 * @param need why it is loaded, as the begin of a sentence
 * @throws OperatorError if it was deleted
 */
export function fromMigration<T>(need: string, load: () => Promise<T>): Promise<T> {
  return load().catch((error: unknown) => {
    if (!isNotInstalled(error)) throw error
    throw new OperatorError(
      `${need}, but the package for the move from an old endpoint (dist/migration) is not installed. Install wp-frames again, or do without`,
    )
  })
}

/** Whether an import has failed because a module is missing. */
export const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
