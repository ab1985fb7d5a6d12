import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'

/** A folder of the run that the first test that asks fills; tests in other processes wait for it. */
export async function onceInRun(
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(inject('runFolder'), name)
  const unfinished = `${folder}.new`
  while (!existsSync(folder)) {
    if (!isCreated(unfinished)) {
      await sleep(20)
      continue
    }
    try {
      // It may have been finished between the two checks.
      if (existsSync(folder)) rmSync(unfinished, { recursive: true })
      else {
        await fill(unfinished)
        renameSync(unfinished, folder)
      }
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      throw error
    }
  }
  return folder
}

/** Creates a folder; false if it exists. */
function isCreated(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
