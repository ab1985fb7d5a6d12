import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGuarded } from '../../../demo/private-database/guarded-process.ts'
import type { Undo } from './undo.ts'

/** A server in its own process. */
export type StartedServer = {
  /** Process id of the shell that guards it, the parent of the server and its workers. */
  readonly pid: number
}

const START_TIMEOUT_MS = 60_000
const LOG_TAIL_LENGTH = 2000

/**
 * Starts a server with only this environment, and waits until it answers.
 * @throws Error with the end of its log if it does not
 */
export async function startServer(
  undo: Undo,
  start: {
    readonly name: string
    readonly command: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    /** Whether the server answers. */
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
    if (ended || Date.now() - begin > START_TIMEOUT_MS) {
      throw new Error(
        `${name} did not start: ${readFileSync(logFile, 'utf8').slice(-LOG_TAIL_LENGTH)}`,
      )
    }
  }
  return { pid: server.pid }
}

/** Whether a server answers HTTP requests at an address. */
export async function answers(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  )
}
