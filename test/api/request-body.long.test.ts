import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'

const LIMIT = 16 * 1024 * 1024

const { api } = await useApi()
const token = await api.token('alice')

type Sent = Record<string, string | number>

/** Sends a raw body to an endpoint that reports a large one as a frame that is too large, not as a body that is too large. */
async function post(
  body: Buffer | string,
  headers: Sent = {},
): Promise<{ status: number; code: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = open(headers, resolve)
    request.on('error', reject)
    request.end(body)
  })
  return read(answer)
}

function open(headers: Sent, answered: (answer: IncomingMessage) => void) {
  return httpRequest(
    `${api.url}/site/2/frames`,
    {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
    },
    answered,
  )
}

async function read(answer: IncomingMessage): Promise<{ status: number; code: string }> {
  const text = Buffer.concat(await answer.toArray()).toString()
  const { code, error } = JSON.parse(text)
  return { status: Number(answer.statusCode), code: code ?? error ?? 'none' }
}

/** The body of a dry run with this markup; `bytes` is the length of the whole body. */
const frame = (html = '<p>é</p>'): string => JSON.stringify({ slug: 'new', html, dry_run: true })
const frameOf = (bytes: number): string => frame('x'.repeat(bytes - frame('').length))

describe('a body of very many values', () => {
  it.each([
    ['lists in one another', '['.repeat(400_001) + ']'.repeat(400_001)],
    ['empty lists', `[${'[],'.repeat(400_000)}[]]`],
    ['members', `{${Array.from({ length: 400_001 }, (_, key) => `"${key}":1`)}}`],
    ['values behind a text of quotes', `["${'\\"'.repeat(9)}\\\\"${',0'.repeat(400_000)}]`],
  ])('is rejected before it is parsed: %s', async (_, body) => {
    expect(await post(body)).toEqual({ status: 413, code: 'rest_body_too_large' })
  })

  it('is accepted if commas, brackets and quotes are in a text', async () => {
    expect(await post(frame(',[{"\\'.repeat(200_000)))).toMatchObject({ status: 200 })
  })
})

const fine = { status: 200, code: 'none' }
const tooLarge = { status: 413, code: 'rest_body_too_large' }
const frameTooLarge = { status: 413, code: 'frame_too_large' }
const unreadable = { status: 400, code: 'rest_invalid_json' }
const wrongType = { status: 415, code: 'rest_unsupported_media_type' }
const chunked = { 'Transfer-Encoding': 'chunked' }

describe('a body', () => {
  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset="UTF-8"'],
  ])('is accepted as %s', async (type) => {
    expect(await post(frame(), { 'Content-Type': type })).toEqual(fine)
  })

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    ['application/json; charset=iso-8859-1'],
    ['json'],
    [''],
  ])('is rejected as "%s"', async (type) => {
    expect(await post(frame(), { 'Content-Type': type })).toEqual(wrongType)
    expect(await post(frame(), { 'Content-Type': type, ...chunked })).toEqual(wrongType)
  })

  it.each([
    ['cut short', '{"slug":'],
    ['not JSON', 'slug=new'],
    ['more than one value', '{}{}'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['UTF-16', Buffer.from(frame(), 'utf16le')],
    ['UTF-8 cut in a character', Buffer.from('"é').subarray(0, 2)],
  ])('is invalid JSON if it is %s', async (_what, body) => {
    expect(await post(body)).toEqual(unreadable)
  })

  it('may start with a byte order mark', async () => {
    expect(await post(`\uFEFF${frame()}`)).toEqual(fine)
  })

  it('may be empty', async () => {
    const none = { status: 400, code: 'invalid_slug' }
    expect(await post('')).toEqual(none)
    expect(await post('', chunked)).toEqual(none)
    expect(await post('', { 'Content-Type': 'text/plain', 'Content-Length': 0 })).toEqual(none)
  })
})

describe('16 MB', () => {
  it('are accepted, and one byte more is rejected', async () => {
    expect(await post(frameOf(LIMIT))).toEqual(frameTooLarge)
    expect(await post(frameOf(LIMIT + 1))).toEqual(tooLarge)
  })

  it('are counted without Content-Length', async () => {
    expect(await post(frameOf(LIMIT), chunked)).toEqual(frameTooLarge)
    expect(await post(frameOf(LIMIT + 1), chunked)).toEqual(tooLarge)
  })

  it('are the limit: a longer body gets its response before it has arrived completely', async () => {
    const announced = await new Promise<IncomingMessage>((resolve) => {
      open({ 'Content-Length': LIMIT + 1 }, resolve).write('{')
    })
    expect(await read(announced)).toEqual(tooLarge)
    announced.destroy()

    const endless = await new Promise<IncomingMessage>((resolve) => {
      const request = open(chunked, (answer) => {
        clearInterval(sending)
        resolve(answer)
      })
      request.on('error', () => {})
      const part = Buffer.alloc(1024 * 1024, ' ')
      const sending = setInterval(() => request.write(part), 1)
    })
    expect(await read(endless)).toEqual(tooLarge)
    endless.destroy()
  })

  it.each(['with its length', 'in chunks'])(
    'leave the connection usable for what comes after a longer body that is sent %s',
    async (how) => {
      const head = `POST /site/2/frames HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
      const withLength = (body: string): string =>
        `${head}Content-Length: ${body.length}\r\n\r\n${body}`
      const inChunks = (body: string): string =>
        `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
      socket.write((how === 'in chunks' ? inChunks : withLength)(frameOf(2 * LIMIT)))
      socket.write(withLength(frame('<br>')))
      let answers = ''
      for await (const chunk of socket) {
        answers += chunk
        if (answers.includes('rest_body_too_large') && answers.includes('"applied":false')) break
      }
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    },
  )
})

describe('a compressed body', () => {
  const FAST = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  const encodings = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', (bytes: string | Buffer) => brotliCompressSync(bytes, { params: FAST })],
  ] as const

  it.each(encodings)('is accepted: %s', async (encoding, compress) => {
    expect(await post(compress(frame()), { 'Content-Encoding': encoding })).toEqual(fine)
  })

  it.each(encodings)('is counted while it is decompressed: %s', async (encoding, compress) => {
    const headers = { 'Content-Encoding': encoding }
    expect(await post(compress(frameOf(LIMIT)), headers)).toEqual(frameTooLarge)
    const bomb = compress(Buffer.alloc(2 * LIMIT, ' '))
    expect(bomb.length).toBeLessThan(LIMIT / 10)
    expect(await post(bomb, headers)).toEqual(tooLarge)
    expect(await post(bomb, { ...headers, ...chunked })).toEqual(tooLarge)
  })

  it.each(encodings)('is rejected if it is damaged: %s', async (encoding, compress) => {
    const whole = compress(frame())
    const headers = { 'Content-Encoding': encoding }
    expect(await post(whole.subarray(0, -3), headers)).toEqual(unreadable)
    expect(await post(frame(), headers)).toEqual(unreadable)
  })

  it('is rejected in an unsupported encoding', async () => {
    expect(await post(frame(), { 'Content-Encoding': 'compress' })).toEqual(wrongType)
    expect(await post(gzipSync(frame()), { 'Content-Encoding': 'gzip, gzip' })).toEqual(wrongType)
    expect(await post(frame(), { 'Content-Encoding': 'identity' })).toEqual(fine)
  })
})
