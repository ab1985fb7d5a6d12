import { expect, it } from 'vitest'
import { startApi } from '../../../../test/support/api.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { listen } from '../../../../test/support/listen.ts'
import { useNetwork } from '../../../../test/support/network.ts'
import { use } from '../../../../test/support/use.ts'
import { OTHER_PASSED_REQUESTS } from '../../src/old-endpoint/pass-requests.ts'
import { legacyAt } from '../old-endpoint.ts'

const network = await useNetwork({ timings: { legacy: { waitMs: 100 } } })
const open = new Set<string>()
let ended = 0
const old = await use(
  listen(({ url = '' }, response) => {
    if (!url.includes('hangs')) return void response.end('{}')
    open.add(url)
    response.once('close', () => {
      ended += 1
    })
  }),
)
const legacy = legacyAt(`http://127.0.0.1:${old.port}/old`, '', { timeoutMs: 60_000 })
const api = await use(startApi(network, { ...legacy }))

it('a token is not accepted because its client has left before the answer', async () => {
  const media = `${api.url}/site/2/media`
  const token = { Authorization: 'Bearer of-nobody' }
  const left = new AbortController()
  const asked = fetch(`${media}?hangs`, { headers: token, signal: left.signal }).catch(() => {})
  await eventually(() => expect(open.size).toBe(1))
  left.abort()
  await asked
  await eventually(() => expect(ended).toBe(1))
  // All slots of the address are taken.
  const others = new AbortController()
  const hanging = Array.from({ length: OTHER_PASSED_REQUESTS.concurrencyPerKey }, (_, at) =>
    fetch(`${media}?hangs=${at}`, { signal: others.signal }).catch(() => {}),
  )
  await eventually(() => expect(open.size).toBe(1 + hanging.length))
  expect((await fetch(media, { headers: token })).status).toBe(503)
  others.abort()
  await Promise.all(hanging)
})
