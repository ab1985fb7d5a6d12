import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startApi } from '../../../../test/support/api.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { listen } from '../../../../test/support/listen.ts'
import { useNetwork } from '../../../../test/support/network.ts'
import { use } from '../../../../test/support/use.ts'
import { OTHER_PASSED_REQUESTS } from '../../src/old-endpoint/pass-requests.ts'
import { legacyAt } from '../old-endpoint.ts'

const LARGE = Buffer.alloc(20 * 1024 * 1024)
/** More than what is waited for before a slot is taken. */
const BEGIN = '{'.repeat(100_000)

const network = await useNetwork({ timings: { legacy: { slowMs: 50 } } })
let received = 0
const old = await use(
  listen(({ method, url = '' }, response) => {
    received += 1
    if (method === 'GET') response.end(url.includes('site/2') ? LARGE : '{}')
  }),
)
// The limit of silence must not be what ends them.
const legacy = legacyAt(`http://127.0.0.1:${old.port}/old`, '', { timeoutMs: 60_000 })
const api = await use(startApi(network, { ...legacy }))

it.each([
  ['read an answer', 'GET /site/2/media HTTP/1.1\r\nHost: net.test\r\n\r\n'],
  [
    'send a body',
    `POST /site/2/media HTTP/1.1\r\nHost: net.test\r\nContent-Length: 1000000\r\n\r\n${BEGIN}`,
  ],
])(
  'clients that do not go on to %s lose their slots while another one waits',
  async (_, request) => {
    const { concurrency, concurrencyPerKey } = OTHER_PASSED_REQUESTS
    const { port } = new URL(api.url)
    received = 0
    const sockets = Array.from({ length: concurrency }, (_, at) => {
      const localAddress = `127.0.0.${2 + Math.floor(at / concurrencyPerKey)}`
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
      socket.on('error', () => {}).pause()
      socket.write(request)
      return socket
    })
    await eventually(async () => expect(received).toBe(concurrency))
    expect((await fetch(`${api.url}/site/3/media`)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  },
)
