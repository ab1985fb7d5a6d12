import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** The first packets of the answers of a server: to a login, to a statement, and to a statement that it refuses (WSREP: not prepared, 1047). */
const LOGIN_OK = Buffer.from('0700000200000002000000', 'hex')
const RESULT = Buffer.from('0100000101', 'hex')
const REFUSAL = Buffer.from('09000001ff1704233038303031', 'hex')

/** A node of a cluster of which only the part that the check of the proxy sees is like a server. */
export async function startNode(name: string) {
  let refuses = false
  let answered = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    socket.write(greeting(name))
    let isLoggedIn = false
    socket.on('data', () => {
      if (!isLoggedIn) socket.write(LOGIN_OK)
      else socket.write(refuses ? REFUSAL : RESULT)
      if (isLoggedIn && !refuses) answered += 1
      isLoggedIn = true
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Statements that it has answered. */
    answered: () => answered,
    /** From now on it accepts logins and refuses statements, or answers them. */
    refuse: (value: boolean) => {
      refuses = value
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server.close(), 'close')
    },
  }
}

/** The packet with which a server begins: its protocol, its version, and what the check does not read. */
function greeting(version: string): Buffer {
  const content = Buffer.concat([Buffer.from([10]), Buffer.from(`${version}\0`), Buffer.alloc(32)])
  return Buffer.concat([Buffer.from([content.length, 0, 0, 0]), content])
}
