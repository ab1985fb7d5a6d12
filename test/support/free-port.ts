import { createServer } from 'node:net'

/** Below those that the system gives to whoever wants any port: none of these is taken by another test's connections and servers. */
const FIRST = 12_000
const COUNT = 20_000
/** Processes begin so far apart that they try other ports. */
const STRIDE = 97

let tried = process.pid * STRIDE

/** A port on which nobody listens, and which hardly anybody else tries until the caller's process listens there. */
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
