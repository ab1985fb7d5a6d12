import { join, resolve } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { answers, startServer } from '../setup/start-server.ts'
import type { Undo } from '../setup/undo.ts'

/** Delay of each direction between the contenders and a remote database, in milliseconds: that of a network of one data center or its neighbor. */
export const REMOTE_DELAY_MS = 1

/** A running proxy. */
export type StartedProxy = {
  /** Address of the database through the proxy. */
  readonly url: string
  /** The number of round trips of all clients, without those of handshakes. */
  readRoundTrips(): Promise<number>
}

/**
 * Starts a proxy of a database in a process of its own.
 * @param delayMs added to each direction; 0 only counts round trips
 */
export async function startProxy(
  databaseUrl: string,
  delayMs: number,
  folder: string,
  undo: Undo,
): Promise<StartedProxy> {
  const { hostname, port: databasePort } = new URL(databaseUrl)
  const [port, countPort] = [String(await freePort()), String(await freePort())]
  const countUrl = `http://127.0.0.1:${countPort}`
  const main = resolve(import.meta.dirname, 'main.ts')
  const settings = [port, countPort, hostname, databasePort, String(delayMs)]
  await startServer(undo, {
    name: 'the proxy of the database',
    command: [process.execPath, '--import', import.meta.resolve('tsx'), main, ...settings],
    isReady: () => answers(countUrl),
    logFile: join(folder, 'proxy.log'),
  })
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port })
  return {
    url: url.href,
    readRoundTrips: async () => Number(await (await fetch(countUrl)).text()),
  }
}
