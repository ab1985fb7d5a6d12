import { readFileSync } from 'node:fs'

/** The version in package.json, which is at the same relative path from the sources and from the build. */
export function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
