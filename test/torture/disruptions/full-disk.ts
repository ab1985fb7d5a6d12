import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from '../trial.ts'
import type { Disruption } from './disruption.ts'

const MEGABYTES = 64
const CHUNK = Buffer.alloc(64 * 1024, 1)

/**
 * Mounts a small disk in a folder.
 * @throws Unavailable if mounting is not possible
 */
export function mountDisk(folder: string): { readonly unmount: () => void } {
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`]
    execFileSync('mount', [...options, 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    throw new Unavailable('the small disk needs root and the right to mount a tmpfs')
  }
  return { unmount: () => void execFileSync('umount', ['--lazy', folder]) }
}

/** Fills the disk of the tables completely. */
export const fullDisk = (folder: string): Disruption => ({
  name: 'the disk is full',
  inflict: async ({ server }) => {
    const filler = join(folder, 'filler')
    fill(filler)
    return async () => {
      rmSync(filler)
      // MariaDB ends itself if it has no space to roll back.
      if (await server.answers()) return undefined
      await server.start()
      return 'the server ended itself and was restarted'
    }
  },
})

/** Appends to a file until its disk is full. */
export function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, CHUNK)
  } catch {
    // The expected result: the disk is full.
  } finally {
    closeSync(file)
  }
}
