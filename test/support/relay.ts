import { connect, createServer, type Socket } from 'node:net'

/** A relay between clients and a server that can lose all traffic silently. */
export type Relay = Awaited<ReturnType<typeof startRelay>>

export type RelayOptions = {
  /** Called for each connection. Receives what its client sends. */
  readonly observe?: () => (bytes: Buffer) => void
}

export async function startRelay(serverUrl: string, { observe }: RelayOptions = {}) {
  const { hostname, port } = new URL(serverUrl)
  const sockets: Socket[] = []
  let isBlocked = false
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname)
    sockets.push(near, far)
    const onBytes = observe?.()
    if (onBytes) near.on('data', onBytes)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
    if (isBlocked) for (const socket of [near, far]) socket.pause()
  })
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening))
  const url = Object.assign(new URL(serverUrl), { port: String(Object(relay.address()).port) })
  return {
    /** The address of the server through the relay. */
    url: url.href,
    /** From now on nothing arrives, although connections stay open. */
    block: () => {
      isBlocked = true
      for (const socket of sockets) socket.pause()
    },
    /** New connections work. Those that were blocked stay silent. */
    unblock: () => {
      isBlocked = false
    },
    /** All connections work again, and what was sent meanwhile arrives. */
    resume: () => {
      isBlocked = false
      for (const socket of sockets) socket.resume()
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => relay.close(closed))
    },
  }
}
