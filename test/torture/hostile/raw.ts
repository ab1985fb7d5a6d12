import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const LINE = '\r\n'
const head = (lines: readonly string[]): string => [...lines, '', ''].join(LINE)

/** Invalid requests by their kind. */
export const RAW: Readonly<Record<string, string>> = {
  '20,000 headers': head([
    'GET / HTTP/1.1',
    'Host: net.test',
    ...Array.from({ length: 20_000 }, (_, at) => `X-${at}: y`),
  ]),
  'a header of 1 MB': head(['GET / HTTP/1.1', 'Host: net.test', `X: ${'y'.repeat(1_000_000)}`]),
  'a path of 1 MB': head([`GET /${'a'.repeat(1_000_000)} HTTP/1.1`, 'Host: net.test']),
  'two lengths': `${head(['POST /site/2/frames HTTP/1.1', 'Host: x', 'Content-Length: 3', 'Content-Length: 5'])}abcde`,
  'a length and chunks': `${head(['POST /site/2/frames HTTP/1.1', 'Host: x', 'Content-Length: 3', 'Transfer-Encoding: chunked'])}0${LINE}${LINE}`,
  'a chunk of a negative size': `${head(['POST /site/2/frames HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked'])}-1${LINE}`,
  'a huge chunk': `${head(['POST /site/2/frames HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked'])}ffffffffffffffffff${LINE}`,
  'no host': head(['GET / HTTP/1.1']),
  'two hosts': head(['GET / HTTP/1.1', 'Host: net.test', 'Host: brand.test']),
  'folded headers': head(['GET / HTTP/1.1', 'Host: net.test', 'X: a', ' b']),
  'another protocol': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a hundred requests at once': head(['GET /nothing HTTP/1.1', 'Host: net.test']).repeat(100),
  NULs: '\0'.repeat(10_000),
}

/** Sends bytes and returns the response until the server closes the connection, or a timeout passes. */
export function sendRaw(url: string, bytes: string, patienceMs = 1500): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname)
    const done = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(patienceMs, done)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', done)
    socket.on('error', done)
    socket.end(bytes, 'latin1')
  })
}

/** Connections that send a request so slowly that it never ends. */
export class Slow {
  readonly #sockets
  #cut = 0

  constructor(url: string, count: number) {
    const { hostname, port } = new URL(url)
    this.#sockets = Array.from({ length: count }, (_, at) => {
      const socket = connect(Number(port), hostname)
      socket.on('close', () => {
        this.#cut += 1
      })
      socket.on('error', () => {})
      socket.resume()
      const body = [
        'POST /site/2/frames HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Content-Length: 1000000',
      ]
      socket.write(at % 2 === 0 ? 'GET / HTTP/1.1\r\nHost: net.test\r\nX: ' : head(body))
      return socket
    })
  }

  /** Number of connections that the server has closed. */
  get cut(): number {
    return this.#cut
  }

  /** Sends a byte per second on each connection for a while. */
  async drip(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      for (const socket of this.#sockets) if (socket.writable) socket.write('a')
      await sleep(1000)
    }
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
