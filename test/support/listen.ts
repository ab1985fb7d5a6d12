import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of this process. */
export type Listening = { readonly port: number; close(): Promise<void> }

/** Longer than any test: a test that keeps the process busy must not find its connection closed. */
const KEEP_ALIVE_MS = 600_000

/** Serves HTTP on a port of this machine, or on any free one for 0. `close` ends all connections. */
export async function listen(listener: RequestListener, port = 0): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
