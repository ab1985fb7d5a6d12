import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** What tests start: it has one of these functions, which ends it. */
type Started =
  | { stop(): Promise<unknown> }
  | { close(): Promise<unknown> }
  | { drop(): Promise<unknown> }

/** Ends what the tests of a file or group use when they have run, the last one first. */
export async function use<T extends Started>(started: T | Promise<T>): Promise<T> {
  const used = await started
  afterAll(async () => {
    if ('stop' in used) await used.stop()
    else if ('close' in used) await used.close()
    else await used.drop()
  })
  return used
}

/** A temporary folder, which is removed when the tests of the file or group have run. */
export async function useFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `wp-frames-${name}-`))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}
