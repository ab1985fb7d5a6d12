import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'

/** A folder of the run that the first test that asks fills; tests in other processes wait for it. */
export async function onceInRun(
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(inject('runFolder'), name)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.new`
  try {
    mkdirSync(unfinished)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    while (!existsSync(folder)) await sleep(20)
    return folder
  }
  await fill(unfinished)
  renameSync(unfinished, folder)
  return folder
}
