import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from '../trial.ts'
import type { Injury } from './injury.ts'

const MEGABYTES = 64
const CHUNK = Buffer.alloc(64 * 1024, 1)

/**
 * A small disk of its own in a folder.
 * @throws Unavailable where nothing can be mounted
 */
export function mountDisk(folder: string): { readonly unmount: () => void } {
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`]
    execFileSync('mount', [...options, 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    throw new Unavailable('a small disk takes root and the right to mount one (tmpfs)')
  }
  return { unmount: () => void execFileSync('umount', ['--lazy', folder]) }
}

/** The disk on which the tables lie is filled to its last byte. */
export const fullDisk = (folder: string): Injury => ({
  name: 'the disk is full',
  inflict: async ({ server }) => {
    const filler = join(folder, 'filler')
    fill(filler)
    return async () => {
      rmSync(filler)
      // MariaDB ends itself where it finds no room to take back what it has begun.
      if (await server.answers()) return undefined
      await server.start()
      return 'the server ended itself and was started again'
    }
  },
})

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, CHUNK)
  } catch {
    // Full: that is what it is for.
  } finally {
    closeSync(file)
  }
}
