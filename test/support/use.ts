import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** What tests start: it has one of these functions, which ends it. */
type Started =
  | { stop(): Promise<unknown> }
  | { close(): Promise<unknown> }
  | { drop(): Promise<unknown> }

/** Ends what the tests of a file or group use when they have run, the last one first; what a single test uses, when it has run. */
export async function use<T extends Started>(started: T | Promise<T>): Promise<T> {
  const used = await started
  atTheEnd(async () => {
    if ('stop' in used) await used.stop()
    else if ('close' in used) await used.close()
    else await used.drop()
  })
  return used
}

/** A temporary folder, which is removed when the tests of the file or group, or the single test, have run. */
export async function useFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `wp-frames-${name}-`))
  atTheEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A hook of the group that is registered within a test would never run. */
function atTheEnd(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end)
  else afterAll(end)
}
