import { createServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signMessage } from '../../../src/changes/webhooks/sign-message.ts'
import { ReceiverClient } from '../../../src/host/receivers/receiver-client.ts'
import { Receivers } from '../../../src/host/receivers/receivers.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

const { webhooks: timings } = FAST
const message = signMessage('msg_1', '{}', [Buffer.alloc(32)], new Date())
const nothingAllowed = new Receivers([])

/** Answers with these addresses, one after the other. */
const resolver =
  (...answers: string[][]) =>
  async () => {
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? []
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }

describe('receivers', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[fd00::1]/',
    'https://[ff02::1]/',
    'https://localhost/',
    'https://localhost./',
    'https://a.localhost/',
    'https://①②⑦.0.0.1/',
    'http://example.com/',
    'https://user:password@example.com/',
    'https://example.com:22/',
    'https://example.com/#a',
    'ftp://example.com/',
    'file:///etc/passwd',
    'example.com',
    `https://example.com/${'a'.repeat(2000)}`,
    `https://example.com/${'ä'.repeat(1000)}`,
  ])('rejects %s', (url) => {
    expect(nothingAllowed.findFault(url)).toBeTypeOf('string')
  })

  it.each([
    'https://example.com/',
    'https://example.com:8443/a?b=c',
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://müller.example/',
  ])('accepts %s', (url) => {
    expect(nothingAllowed.findFault(url)).toBeUndefined()
  })

  it('accepts what the operator allows', () => {
    const receivers = new Receivers(['Receiver.internal', '10.0.0.0/8', '::1', '127.0.0.1'])
    for (const url of [
      'http://receiver.internal/',
      'http://receiver.internal.:81/',
      'http://10.9.8.7/',
      'http://[::1]:80/',
      'https://[::ffff:127.0.0.1]/',
    ])
      expect(receivers.findFault(url), url).toBeUndefined()
    for (const url of [
      'http://other.internal/',
      'http://11.0.0.1/',
      'http://[::2]/',
      'http://127.0.0.2/',
    ])
      expect(receivers.findFault(url), url).toBeTypeOf('string')
    expect(receivers.allowsAddress('10.1.1.1')).toBe(true)
    expect(receivers.allowsAddress('192.168.1.1')).toBe(false)
    expect(receivers.allowsAddress('fe80::1%eth0')).toBe(false)
    expect(receivers.allowsAddress('nonsense')).toBe(false)
  })
})

/** A sender, which is closed with the test, and a receiver on this machine. */
async function start(options: Partial<ConstructorParameters<typeof ReceiverClient>[0]> = {}) {
  const receiver = await use(startReceiver())
  const { port } = new URL(receiver.url)
  const sender = new ReceiverClient({ receivers: nothingAllowed, timings, ...options })
  onTestFinished(() => sender.close())
  return { receiver, port, sender }
}

describe('a sender', () => {
  it('connects to no address that a name server gives and that is not public', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
      [],
    ]) {
      const { receiver, port, sender } = await start({ lookup: resolver(addresses) })
      const { status, error } = await sender.send(`https://rebinding.example:${port}/`, message)
      expect(status).toBe('failed')
      expect(error).toMatch(/^The host has no (?:public )?address/)
      expect(receiver.messages).toEqual([])
    }
  })

  it('asks again for each connection: an answer that was public before counts no more', async () => {
    // A name server that gives a public address to who checks, and then one of this machine.
    const { receiver, port, sender } = await start({
      receivers: new Receivers(['192.0.2.55']),
      lookup: resolver(['192.0.2.55'], ['127.0.0.1']),
      timings: { ...timings, sendTimeoutMs: 200 },
    })
    const url = `https://rebinding.example:${port}/`
    expect((await sender.send(url, message)).status).toBe('failed')
    expect((await sender.send(url, message)).error).toMatch(/no public address/)
    expect(receiver.messages).toEqual([])
  })

  it('connects to the host that is allowed by its name', async () => {
    const { receiver, port, sender } = await start({
      receivers: new Receivers(['receiver.internal']),
      lookup: resolver(['127.0.0.1']),
    })
    expect(await sender.send(`http://receiver.internal:${port}/`, message)).toMatchObject({
      status: 'delivered',
      http_status: 204,
      error: null,
    })
    expect(receiver.messages[0]?.headers).toMatchObject({ host: `receiver.internal:${port}` })
  })

  it('does not send to a literal address, whatever was stored', async () => {
    const { receiver, port, sender } = await start()
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:7f00:1]', '[::1]'])
      for (const scheme of ['http', 'https'])
        expect((await sender.send(`${scheme}://${host}:${port}/`, message)).status).toBe('failed')
    expect(receiver.messages).toEqual([])
  })

  it('does not say in an error where it wanted to send what', async () => {
    const { sender } = await start({ receivers: new Receivers(['127.0.0.1']) })
    const { error } = await sender.send('http://127.0.0.1:1/secret-path', message)
    expect(error).toBe('The receiver could not be reached (ECONNREFUSED).')
  })

  it('ends with an answer that changes the protocol', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.write(head))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { port: number }
    const { sender } = await start({ receivers: new Receivers(['127.0.0.1']) })
    expect(await sender.send(`http://127.0.0.1:${port}/`, message)).toMatchObject({
      status: 'failed',
      http_status: 101,
      error: 'The receiver answered with 101.',
    })
    server.close()
  })

  it('reads no endless response, and rejects a certificate that nobody has signed', async () => {
    const server = createServer((_, response) => response.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { port: number }
    const { sender } = await start({ receivers: new Receivers(['127.0.0.1']) })
    expect((await sender.send(`https://127.0.0.1:${port}/`, message)).status).toBe('failed')
    server.close()
  })
})
