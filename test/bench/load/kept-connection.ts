import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'
/** The end of a body in chunks. Bodies of texts do not contain these bytes before their end. */
const LAST_CHUNK = '0\r\n\r\n'
/** Milliseconds: with a remote database, WordPress takes three minutes for a tree of 1,000 items. */
const TIMEOUT_MS = 600_000

/**
 * A connection that is kept, with one request at a time. It reads no more of an answer than its status and its end, so that the load takes little of the
 * machine that it shares with what is measured.
 */
export class KeptConnection {
  readonly #socket: Socket
  #answered: (status: number) => void = () => {}
  #failed: (error: Error) => void = () => {}
  /** The beginning of an answer, until its head is complete. */
  #begun: Buffer | undefined
  #status = 0
  /** Bytes of the body that are to come; undefined for a body in chunks. */
  #left: number | undefined
  /** The last bytes of a body in chunks. */
  #tail = ''

  constructor(address: string) {
    const { hostname, port } = new URL(address)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.setTimeout(TIMEOUT_MS, () => this.#socket.destroy(new Error('no answer')))
    this.#socket.on('data', (bytes) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#failed(error))
    this.#socket.on('close', () => this.#failed(new Error('the connection was closed')))
  }

  /**
   * Sends a request and waits for the whole answer.
   * @returns its status
   */
  send(request: Buffer): Promise<number> {
    this.#begun = Buffer.alloc(0)
    return new Promise((answered, failed) => {
      this.#answered = answered
      this.#failed = failed
      if (this.#socket.destroyed) failed(new Error('the connection was closed'))
      else this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    const body = this.#begun ? this.#readHead(Buffer.concat([this.#begun, bytes])) : bytes
    if (!body) return
    if (this.#left === undefined)
      this.#tail = (this.#tail + body.subarray(-LAST_CHUNK.length).toString('latin1')).slice(
        -LAST_CHUNK.length,
      )
    else this.#left -= body.length
    if (this.#left === undefined ? this.#tail === LAST_CHUNK : this.#left <= 0)
      this.#answered(this.#status)
  }

  /** @returns what follows the head; undefined while it is not complete */
  #readHead(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(HEAD_END)
    this.#begun = end < 0 ? bytes : undefined
    if (end < 0) return undefined
    const head = bytes.subarray(0, end).toString('latin1')
    this.#status = Number(head.slice('HTTP/1.1 '.length).slice(0, 3))
    const [, length] = /^content-length: *(\d+)/im.exec(head) ?? []
    this.#left = length === undefined ? undefined : Number(length)
    this.#tail = ''
    return bytes.subarray(end + HEAD_END.length)
  }
}
