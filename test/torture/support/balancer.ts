import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Pause between two looks at the processes, in milliseconds. */
const LOOK_MS = 50

/** A load balancer for TCP: it sends new connections to the processes whose `/readyz` answers 200. */
export class Balancer {
  readonly #server: Server
  /** Addresses of all processes, with whether they were ready at the last look. */
  readonly #targets = new Map<string, boolean>()
  readonly #sockets = new Set<Socket>()
  #next = 0
  #closed = false

  static async start(): Promise<Balancer> {
    const balancer = new Balancer()
    await once(balancer.#server.listen(0, '127.0.0.1'), 'listening')
    void balancer.#look()
    return balancer
  }

  private constructor() {
    this.#server = createServer((client) => this.#pass(client))
  }

  /** Its address. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Adds the addresses of processes, which may not run yet. */
  add(...urls: readonly string[]): void {
    for (const url of urls) this.#targets.set(url, false)
  }

  /** Waits until a process is ready, or not ready. */
  async until(url: string, isReady: boolean): Promise<void> {
    while (this.#targets.get(url) !== isReady) await sleep(LOOK_MS / 2)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((closed) => this.#server.close(closed))
  }

  async #look(): Promise<void> {
    while (!this.#closed) {
      const looks = [...this.#targets.keys()].map(async (url) => {
        const response = await fetch(`${url}/readyz`).catch(() => undefined)
        this.#targets.set(url, response?.status === 200)
      })
      await Promise.all(looks)
      await sleep(LOOK_MS)
    }
  }

  #pass(client: Socket): void {
    const ready = [...this.#targets].flatMap(([url, isReady]) => (isReady ? url : []))
    this.#next += 1
    const target = ready[this.#next % ready.length]
    if (target === undefined) return void client.destroy()
    const { hostname, port } = new URL(target)
    const server = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.once('close', () => {
        this.#sockets.delete(socket)
        other.end()
      })
      socket.pipe(other)
    }
  }
}
