import { describe, expect, it } from 'vitest'
import { signMessage } from '../../src/changes/webhooks/sign-message.ts'
import { ReceiverClient } from '../../src/host/receivers/receiver-client.ts'
import { Receivers } from '../../src/host/receivers/receivers.ts'
import { FAST } from '../support/timings.ts'
import { use } from '../support/use.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

/**
 * The receiver of a webhook moved, and answers with a redirect.
 * Right: Standard Webhooks: a redirect is a failure and is not followed. RFC 9110, section 10.2.2: `Location` may be relative.
 */
describe('receivers that redirect', async () => {
  const receiver = await use(startReceiver())
  const { port } = new URL(receiver.url)
  const message = signMessage('msg_1', '{}', [Buffer.alloc(32)], new Date())
  const sender = new ReceiverClient({
    receivers: new Receivers(['127.0.0.1']),
    timings: FAST.webhooks,
  })
  const refused = (status: number) =>
    `The receiver answered with a redirect (${status}), which is not followed.`
  const SAME = 'It leads to another address of the same host: register that address.'

  it.each([
    [301, 'https://new.example/hook/SECRET', 'https://new.example'],
    [302, 'https://user:SECRET@new.example:8443/hook?token=SECRET', 'https://new.example:8443'],
    [307, '//NEW.example/SECRET#SECRET', 'http://new.example'],
    [308, `https://127.0.0.1:${port}/hook`, `https://127.0.0.1:${port}`],
    [303, 'https://müller.example/SECRET', 'https://xn--mller-kva.example'],
  ])('%i to %s names the host', async (status, location, origin) => {
    receiver.answer = () => ({ status, headers: { location: encodeURI(location) } })
    const { status: result, error } = await sender.send(receiver.url, message)
    expect([result, error]).toEqual([
      'failed',
      `${refused(status)} It leads to ${origin}: register the address there.`,
    ])
  })

  it.each(['/hook/SECRET', 'SECRET', '?SECRET', receiver.url])(
    '307 to %s is on the same host',
    async (location) => {
      receiver.answer = () => ({ status: 307, headers: { location } })
      expect((await sender.send(receiver.url, message)).error).toBe(`${refused(307)} ${SAME}`)
    },
  )

  it.each(['ftp://new.example/', 'javascript:SECRET', 'https://', `https://${'a.'.repeat(120)}b/`])(
    '301 to %s is not explained',
    async (location) => {
      receiver.answer = () => ({ status: 301, headers: { location } })
      expect((await sender.send(receiver.url, message)).error).toBe(refused(301))
    },
  )
})
