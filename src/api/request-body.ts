import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request } from 'express'
import { ByteBudget, type Reservation } from '../concurrency/byte-budget.ts'
import { AppError } from '../errors.ts'

const MEBIBYTE = 1024 * 1024

/** Largest body of an endpoint that declares no other limit, in bytes, as sent and decompressed. */
export const MAX_BODY_BYTES = MEBIBYTE
/** Largest body of the endpoints that take markup or a tree of items, in bytes. */
export const MAX_LARGE_BODY_BYTES = 16 * MEBIBYTE
/**
 * Most values in a body: JSON.parse takes half a second for 400,000 distinct keys. A tree of 10,000 items has 110,000 values where each
 * item has all the fields that an answer gives.
 */
export const MAX_BODY_VALUES = 150_000
/** Most members of one object in a body: what reads all members of a larger one takes long. */
export const MAX_OBJECT_MEMBERS = 1000
/** Most bytes of bodies that requests in progress hold, in the process. */
export const MAX_BODY_BYTES_IN_PROCESS = 64 * MEBIBYTE
/** The same for the requests of one user, so that one user cannot keep all others from sending a body. */
export const MAX_BODY_BYTES_OF_USER = 32 * MEBIBYTE

/** The budget for the bodies of an API. Its keys are users. */
export const bodyBudget = (): ByteBudget =>
  new ByteBudget('request bodies', MAX_BODY_BYTES_IN_PROCESS, MAX_BODY_BYTES_OF_USER)

/** Bytes that a decompressor gives at once. */
const CHUNK = { chunkSize: 64 * 1024 }

/** Decompressors by content coding. */
const DECOMPRESSORS = new Map<string, () => Transform | undefined>([
  ['identity', () => undefined],
  ['gzip', () => createGunzip(CHUNK)],
  ['deflate', () => createInflate(CHUNK)],
  ['br', () => createBrotliDecompress(CHUNK)],
])

export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads a JSON body. It is decompressed, decoded and counted chunk by chunk as it arrives: nothing blocks the event loop but JSON.parse,
 * and a body that exceeds a limit is refused without keeping the rest of it. Express's own reader answers a body that is too large only
 * once all of it has come, and takes UTF-16, in which JSON is not sent (RFC 8259, section 8.1).
 * @param limit in bytes
 * @param reservation takes the bytes that are kept; the caller releases it when the request no longer needs the body
 * @throws AppError `rest_unsupported_media_type`, `rest_body_too_large`, `rest_invalid_json`, `service_busy`
 */
export async function readJson(
  request: Request,
  limit: number,
  reservation: Reservation,
): Promise<unknown> {
  assertJson(request)
  const decompressor = decompressorOf(request)
  if (Number(request.get('content-length')) > limit) throw tooLarge(limit)
  const text = new JsonText(limit, reservation)
  const chunks = receive(request, limit)
  try {
    await (decompressor ? pipeline(chunks, decompressor, (all) => text.add(all)) : text.add(chunks))
  } catch (error) {
    // The rest is discarded as it arrives, so that a client that first sends everything can read the answer.
    request.resume()
    throw error instanceof AppError ? error : notDecompressible()
  }
  return parse(text.end())
}

/** @throws AppError `rest_unsupported_media_type` */
function assertJson(request: Request): void {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.get('content-type') ?? '') ?? []
  if (request.is('application/json') && /^utf-?8$/i.test(charset)) return
  throw new AppError(
    'rest_unsupported_media_type',
    'The body is not sent as JSON in UTF-8. Send it with the header Content-Type: application/json.',
  )
}

/** @throws AppError `rest_unsupported_media_type` */
function decompressorOf(request: Request) {
  const create = DECOMPRESSORS.get((request.get('content-encoding') ?? 'identity').toLowerCase())
  if (create) return create()
  throw new AppError(
    'rest_unsupported_media_type',
    'The body is compressed in a way that is not read here. Send it as it is, or as gzip, deflate or br.',
  )
}

/** The chunks of a body as they arrive. A compressed body may decompress to nothing, so they are limited too. */
async function* receive(request: Request, limit: number): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > limit) break
      yield chunk
    }
  } catch {
    throw unreadable('The request ended before its body was complete.')
  }
  if (size > limit) throw tooLarge(limit)
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  ...'"\\,[]{}',
].map((char) => char.charCodeAt(0))

/** The text of a body, decoded and counted as its chunks come. */
class JsonText {
  readonly #limit: number
  readonly #reservation: Reservation
  /** Bytes that are not UTF-8 are refused: replaced by question marks, they would be stored. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #text = ''
  #bytes = 0
  #values = 1
  /** Members of the objects that are open, from outside to inside; items of lists are not limited. */
  readonly #members: number[] = []
  #isInString = false
  #isEscaped = false

  constructor(limit: number, reservation: Reservation) {
    this.#limit = limit
    this.#reservation = reservation
  }

  async add(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length
      if (this.#bytes > this.#limit) throw tooLarge(this.#limit)
      this.#reservation.grow(chunk.length)
      this.#countValues(chunk)
      this.#text += this.#decode(chunk)
    }
  }

  end(): string {
    return this.#text + this.#decode()
  }

  #decode(chunk?: Buffer): string {
    try {
      return this.#decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw notJson()
    }
  }

  /** Each value but the first stands behind a comma or a bracket that is outside of strings. */
  #countValues(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInString = false
      } else if (byte === QUOTE) this.#isInString = true
      else if (byte === COMMA) this.#addMember()
      else if (byte === OPEN_OBJECT) this.#open(1)
      else if (byte === OPEN_LIST) this.#open(Number.NEGATIVE_INFINITY)
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#members.pop()
    }
    if (this.#values > MAX_BODY_VALUES) throw tooMany(`${MAX_BODY_VALUES} values`)
  }

  #open(members: number): void {
    this.#values += 1
    this.#members.push(members)
  }

  #addMember(): void {
    this.#values += 1
    const members = (this.#members.pop() ?? 0) + 1
    if (members > MAX_OBJECT_MEMBERS) throw tooMany(`${MAX_OBJECT_MEMBERS} members in one object`)
    this.#members.push(members)
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw notJson()
  }
}

const unreadable = (message: string): AppError => new AppError('rest_invalid_json', message)

const notJson = (): AppError =>
  unreadable('The body is not readable as JSON. Send one JSON value in UTF-8.')

const notDecompressible = (): AppError =>
  unreadable('The body is not compressed in the way that Content-Encoding says.')

const tooMany = (what: string): AppError =>
  new AppError('rest_body_too_large', `The body holds more than ${what}. Send less.`)

const tooLarge = (limit: number): AppError =>
  new AppError(
    'rest_body_too_large',
    `The body is larger than ${describeBodyLimit(limit)}, which is the most that this endpoint takes. Send less.`,
  )

/** A limit in words: `16 MB`. */
export const describeBodyLimit = (limit: number): string => `${limit / MEBIBYTE} MB`
