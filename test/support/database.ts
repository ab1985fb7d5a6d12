import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase, runScript } from '../../src/db/run-script.ts'

/** A test file's own database with nothing in it. */
export type TestDatabase = {
  readonly url: string
  drop(): Promise<void>
}

/** Makes it. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const name = `wp_frames_test_${randomBytes(6).toString('hex')}`
  const url = await createDatabase(inject('serverUrl'), name)
  return { url, drop: () => runScript(url, `DROP DATABASE \`${name}\``) }
}
