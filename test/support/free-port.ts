import { createServer } from 'node:net'

/** Below the ephemeral ports of the system, so that connections and servers of other tests take none of these. */
const FIRST = 12_000
const COUNT = 20_000
/** Distance between the first ports of two processes, so that they try different ones. */
const STRIDE = 97

let tried = process.pid * STRIDE

/** A port without a listener, which other tests are unlikely to take before the caller's process listens on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (tried % COUNT)
    tried += 1
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
