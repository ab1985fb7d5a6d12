import { mkdirSync, rmSync } from 'node:fs'

/**
 * Where a server puts its temporary tables: a folder of its own beside its data. In the system's, servers that start delete
 * one another's files there.
 */
export const temporaryDirectory = (directory: string): string => `${directory}.tmp`

/** Makes it anew, empty. */
export const makeTemporaryDirectory = (directory: string): void => {
  removeTemporaryDirectory(directory)
  mkdirSync(temporaryDirectory(directory), { recursive: true, mode: 0o700 })
}

/** Removes it with what a server left there. */
export const removeTemporaryDirectory = (directory: string): void =>
  rmSync(temporaryDirectory(directory), { recursive: true, force: true })
