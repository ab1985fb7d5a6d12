import { readFile } from 'node:fs/promises'

/** The version of the package. */
export async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).version
}
