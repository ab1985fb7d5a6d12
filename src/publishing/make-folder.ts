import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

// Node's recursive mkdir never ends where mkdir answers ENOENT below an existing folder, such as /proc/x.

/** How often a folder is created whose parent another process removes at the same time. */
const ATTEMPTS = 3

/** Creates a folder and those above it, if they do not exist. */
export async function makeFolder(path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(path)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
      if (code !== 'ENOENT' || attempt === ATTEMPTS || dirname(path) === path) throw error
      await makeFolder(dirname(path))
    }
  }
}

/** The same for worker threads. */
export function makeFolderSync(path: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      mkdirSync(path)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' && statSync(path).isDirectory()) return
      if (code !== 'ENOENT' || attempt === ATTEMPTS || dirname(path) === path) throw error
      makeFolderSync(dirname(path))
    }
  }
}
