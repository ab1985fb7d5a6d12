import { connect, createServer, type Server, type Socket } from 'node:net'
import type { DelayLine } from './delay-line.ts'

/** Sequence number of the first packet of a command. Packets of the handshake have others. */
const FIRST = 0
/** Position of the sequence number in a packet, after its length. */
const SEQUENCE = 3

/** A TCP proxy of MariaDB or MySQL that delays each direction, and counts round trips. */
export class DatabaseProxy {
  readonly server: Server
  readonly #target: { readonly host: string; readonly port: number }
  readonly #delay: DelayLine
  #roundTrips = 0

  /** @param delay of each direction; all connections share it */
  constructor(target: { readonly host: string; readonly port: number }, delay: DelayLine) {
    this.#target = target
    this.#delay = delay
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      this.#relay(client)
    })
  }

  /** The number of answers that the server has begun to send after commands of clients. */
  get roundTrips(): number {
    return this.#roundTrips
  }

  #relay(client: Socket): void {
    const server = connect({ ...this.#target, allowHalfOpen: true, noDelay: true })
    let isAsked = false
    client.on('data', (chunk) => {
      isAsked ||= chunk[SEQUENCE] === FIRST
    })
    server.on('data', () => {
      if (isAsked) this.#roundTrips += 1
      isAsked = false
    })
    this.#forward(client, server)
    this.#forward(server, client)
  }

  #forward(from: Socket, to: Socket): void {
    const later = (step: () => void): void =>
      this.#delay.after(() => {
        if (!to.destroyed) step()
      })
    from.on('data', (chunk) => later(() => to.write(chunk)))
    from.on('end', () => later(() => to.end()))
    from.on('close', () => later(() => to.destroy()))
    // A reset closes both sides.
    from.on('error', () => {})
  }
}
