import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGuarded } from '../../demo/private-database/guarded-process.ts'
import type { Undo } from './undo.ts'

/** A server in a process of its own. */
export type StartedServer = {
  /** Of the shell that guards it; the server and its workers are below it. */
  readonly pid: number
}

const PATIENCE_MS = 60_000
const LAST_WORDS = 2000

/**
 * Starts a server with this environment and nothing else of ours, and waits until it answers.
 * @throws Error with the end of its log where it does not
 */
export async function startServer(
  undo: Undo,
  start: {
    readonly name: string
    readonly command: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    /** Does it answer? */
    readonly isReady: () => Promise<boolean>
    readonly logFile: string
  },
): Promise<StartedServer> {
  const { name, command, env = {}, isReady, logFile } = start
  const pairs = Object.entries({ PATH: process.env.PATH ?? '', ...env })
  const output = openSync(logFile, 'a')
  const server = startGuarded(
    ['env', '-i', ...pairs.map(([key, value]) => `${key}=${value}`), ...command],
    { output },
  )
  closeSync(output)
  undo.add(() => server.stop())
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  for (const begin = Date.now(); !(await isReady()); await sleep(50)) {
    if (ended || Date.now() - begin > PATIENCE_MS) {
      throw new Error(`${name} did not start: ${readFileSync(logFile, 'utf8').slice(-LAST_WORDS)}`)
    }
  }
  return { pid: server.pid }
}

/** Does somebody answer HTTP requests at an address? */
export async function answers(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  )
}
