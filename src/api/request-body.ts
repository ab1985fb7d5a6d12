import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request } from 'express'
import { ByteBudget, type Reservation } from '../host/concurrency/byte-budget.ts'
import { AppError } from '../host/errors.ts'
import { parseJson } from '../host/parse-json.ts'

const MEBIBYTE = 1024 * 1024

/** Default maximum size of a body in bytes, both as sent and decompressed. */
export const MAX_BODY_BYTES = MEBIBYTE
/** Maximum size of a body in bytes, for endpoints that take markup or a tree of items. */
export const MAX_LARGE_BODY_BYTES = 16 * MEBIBYTE
/**
 * Maximum number of values in a body: JSON.parse takes half a second for 400,000 distinct keys. A tree of 10,000 items has 110,000 values if each
 * item has all the fields that a response returns.
 */
export const MAX_BODY_VALUES = 150_000
/** Maximum number of members of one object in a body: code that reads all members of a larger object is slow. */
export const MAX_OBJECT_MEMBERS = 1000
/** Maximum number of bytes of all bodies that the process has in memory. */
export const MAX_BODY_BYTES_IN_PROCESS = 64 * MEBIBYTE
/** The same for the requests of one user, so that one user cannot block all others. */
export const MAX_BODY_BYTES_OF_USER = 32 * MEBIBYTE

/** The memory budget for request bodies. Its keys are user ids. */
export const bodyBudget = (): ByteBudget =>
  new ByteBudget('request bodies', MAX_BODY_BYTES_IN_PROCESS, MAX_BODY_BYTES_OF_USER)

/** Output buffer of a decompressor, in bytes. */
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
 * Reads a JSON body. It is decompressed, decoded and counted chunk by chunk as it arrives: only JSON.parse blocks the event loop, and the rest of a
 * body that exceeds a limit is discarded. Express's own parser rejects a body that is too large only after it has received all of it, and accepts
 * UTF-16, which JSON must not use (RFC 8259, section 8.1).
 * @param limit in bytes
 * @param reservation counts the bytes in memory; the caller releases it when the request no longer needs the body
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
    // Discard the rest as it arrives, so that a client that sends everything before it reads can read the response.
    request.resume()
    throw error instanceof AppError ? error : notDecompressible()
  }
  return parse(text.end())
}

/**
 * Checks the size of a request's body that is a part of another body.
 * @param limit in bytes
 * @throws AppError `rest_body_too_large`
 */
export function assertBodyWithin(body: unknown, limit: number): void {
  if (limit >= MAX_LARGE_BODY_BYTES || body === undefined) return
  if (Buffer.byteLength(JSON.stringify(body)) > limit) throw tooLarge(limit)
}

/** @throws AppError `rest_unsupported_media_type` */
function assertJson(request: Request): void {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.get('content-type') ?? '') ?? []
  if (request.is('application/json') && /^utf-?8$/i.test(charset)) return
  throw new AppError(
    'rest_unsupported_media_type',
    'The body must be JSON in UTF-8. Send it with the header Content-Type: application/json.',
  )
}

/** @throws AppError `rest_unsupported_media_type` */
function decompressorOf(request: Request) {
  const create = DECOMPRESSORS.get((request.get('content-encoding') ?? 'identity').toLowerCase())
  if (create) return create()
  throw new AppError(
    'rest_unsupported_media_type',
    'The Content-Encoding is not supported. Send the body uncompressed, or as gzip, deflate or br.',
  )
}

/** The chunks of a body as they arrive. Compressed bytes have the same limit, because they may decompress to nothing. */
async function* receive(request: Request, limit: number): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > limit) break
      yield chunk
    }
  } catch {
    throw invalidJson('The request ended before its body was complete.')
  }
  if (size > limit) throw tooLarge(limit)
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  ...'"\\,[]{}',
].map((char) => char.charCodeAt(0))

/** The text of a body. Each chunk is decoded and counted when it arrives. */
class JsonText {
  readonly #limit: number
  readonly #reservation: Reservation
  /** Fatal: otherwise invalid bytes would be replaced by U+FFFD, and that would be stored. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  readonly #values = new JsonValues()
  #text = ''
  #bytes = 0

  constructor(limit: number, reservation: Reservation) {
    this.#limit = limit
    this.#reservation = reservation
  }

  async add(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length
      if (this.#bytes > this.#limit) throw tooLarge(this.#limit)
      this.#reservation.grow(chunk.length)
      this.#values.count(chunk)
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
}

/** Counts the values of JSON before they are parsed. */
export class JsonValues {
  #values = 1
  /** The number of members of each open object, from the outermost to the innermost; lists have no limit. */
  readonly #members: number[] = []
  #isInString = false
  #isEscaped = false

  /**
   * Counts those of a text within the others.
   * @throws AppError `rest_body_too_large`
   */
  countText(text: string): void {
    // The one before may be no JSON.
    this.#isInString = false
    this.#isEscaped = false
    this.#members.length = 0
    this.#values += 1
    this.count(Buffer.from(text))
  }

  /**
   * Counts those of the next chunk. Each value but the first follows a comma or an opening bracket outside of strings.
   * @throws AppError `rest_body_too_large`
   */
  count(chunk: Buffer): void {
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index]
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
    return text === '' ? undefined : parseJson(text)
  } catch {
    throw notJson()
  }
}

const invalidJson = (message: string): AppError => new AppError('rest_invalid_json', message)

const notJson = (): AppError =>
  invalidJson('The body is not valid JSON. Send one JSON value in UTF-8.')

const notDecompressible = (): AppError =>
  invalidJson('The body cannot be decompressed as Content-Encoding declares.')

const tooMany = (limit: string): AppError =>
  new AppError('rest_body_too_large', `The body has more than ${limit}. Send less.`)

const tooLarge = (limit: number): AppError =>
  new AppError(
    'rest_body_too_large',
    `The body is larger than ${describeBodyLimit(limit)}, the limit of this endpoint. Send less.`,
  )

/** A limit for messages: `16 MB`. */
export const describeBodyLimit = (limit: number): string => `${limit / MEBIBYTE} MB`
