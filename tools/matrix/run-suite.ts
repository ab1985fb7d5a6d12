import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { SUITES, type Suite } from './options.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The totals of a suite. */
export type Totals = { readonly passed: number; readonly failed: number; readonly skipped: number }

/**
 * Runs the command of a suite with these directories first in PATH, on a private database.
 * @returns the totals from its output; undefined if it ended without them
 */
export async function runSuite(
  suite: Suite,
  directories: readonly string[],
  logFile: string,
): Promise<Totals | undefined> {
  mkdirSync(dirname(logFile), { recursive: true })
  const log = createWriteStream(logFile)
  const { DATABASE_URL, TEST_DATABASE_URL, ...environment } = process.env
  const child = spawn('npm', SUITES[suite], {
    cwd: ROOT,
    env: { ...environment, PATH: [...directories, environment.PATH].join(':') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  await new Promise((ended) => child.once('close', ended))
  await finished(log.end())
  return findTotals(readFileSync(logFile, 'utf8'))
}

/** The totals in the last line that has the format of the suites' reports: `12 passed, 0 failed, 1 skipped`. */
function findTotals(output: string): Totals | undefined {
  const lines = output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)
  const last = [...lines].at(-1)
  if (!last) return undefined
  const [, passed, failed, skipped = 0] = last
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}
