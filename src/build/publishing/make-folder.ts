import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** How often a folder is created whose parent another process removes at the same time. */
const ATTEMPTS = 3

/**
 * Creates a folder and those above it, if they do not exist; for worker threads and commands. Node's recursive mkdir never ends where mkdir
 * answers ENOENT below an existing folder, such as /proc/x.
 */
export function makeFolder(path: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      mkdirSync(path)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' && statSync(path).isDirectory()) return
      if (code !== 'ENOENT' || attempt === ATTEMPTS || dirname(path) === path) throw error
      makeFolder(dirname(path))
    }
  }
}
