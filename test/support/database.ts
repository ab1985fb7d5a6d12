import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase, runScript } from '../../demo/private-database/run-script.ts'

/** Creates an empty database of one test file. */
export async function emptyDatabase() {
  const name = `wp_frames_test_${randomBytes(6).toString('hex')}`
  const url = await createDatabase(inject('serverUrl'), name)
  return { url, drop: () => runScript(url, `DROP DATABASE \`${name}\``) }
}
