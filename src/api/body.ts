import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Request, RequestHandler } from 'express'
import { AppError } from '../errors.ts'

/** Counted while reading and again while decompressing: a longer body is never held in memory. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** Values in a body: to read millions takes seconds. Far more than a menu may have, so that one too large or too deep is told so. */
const MAX_VALUES = 400_000

type Decoder = (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>

const DECODERS = new Map<string, Decoder>([
  ['identity', (bytes) => Promise.resolve(bytes)],
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/**
 * Reads the JSON body, if there is one. Express's own reader answers a body that is too large only once all of it has
 * come, which may be never, and takes UTF-16, which JSON is not sent in (RFC 8259, section 8.1).
 */
export function readBody(): RequestHandler {
  return async (request, _response, next) => {
    if (hasBody(request)) {
      const decoder = acceptedDecoder(request)
      request.body = parse(await decode(decoder, await readBytes(request)))
    }
    next()
  }
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** @throws AppError `rest_unsupported_media_type` */
function acceptedDecoder(request: Request): Decoder {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.get('content-type') ?? '') ?? []
  if (!request.is('application/json') || !/^utf-?8$/i.test(charset)) {
    throw new AppError(
      'rest_unsupported_media_type',
      'The body is not sent as JSON in UTF-8. Send it with the header Content-Type: application/json.',
    )
  }
  const decoder = DECODERS.get((request.get('content-encoding') ?? 'identity').toLowerCase())
  if (decoder) return decoder
  throw new AppError(
    'rest_unsupported_media_type',
    'The body is compressed in a way that is not read here. Send it as it is, or as gzip, deflate or br.',
  )
}

/** @throws AppError `rest_body_too_large` as soon as that is known */
async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.get('content-length')) > MAX_BODY_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > MAX_BODY_BYTES) break
      chunks.push(chunk)
    }
  } catch {
    throw unreadable('The request ended before its body was complete.')
  }
  if (size <= MAX_BODY_BYTES) return Buffer.concat(chunks)
  // What still comes is thrown away, so that a client that first sends everything gets to read the answer.
  request.resume()
  throw tooLarge()
}

async function decode(decoder: Decoder, bytes: Buffer): Promise<Buffer> {
  try {
    return await decoder(bytes, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw unreadable('The body is not compressed in the way that Content-Encoding says.')
  }
}

/** Bytes that are not UTF-8 are refused: replaced by question marks, they would be stored. */
function parse(bytes: Buffer): unknown {
  const text = decodeText(bytes)
  if (holdsMoreThan(MAX_VALUES, text)) throw tooManyValues()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw notJson()
  }
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw notJson()
  }
}

/** Each value but the first stands behind a comma or in a bracket. Commas in texts don't count. */
function holdsMoreThan(limit: number, json: string): boolean {
  // A short text can't, however it is made.
  if (json.length <= limit) return false
  let count = 0
  for (let at = 0; at < json.length && count <= limit; at += 1) {
    const char = json[at]
    if (char === '"') at = endOfText(json, at)
    else if (char === ',' || char === '[' || char === '{') count += 1
  }
  return count > limit
}

/** Index of the quote that ends the text which begins at an index. */
function endOfText(json: string, start: number): number {
  let end = start
  do end = json.indexOf('"', end + 1)
  while (end > 0 && isEscaped(json, end))
  return end < 0 ? json.length : end
}

/** Does an odd number of backslashes stand before it? */
function isEscaped(json: string, at: number): boolean {
  let first = at
  while (json[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 1
}

const unreadable = (message: string): AppError => new AppError('rest_invalid_json', message)

const notJson = (): AppError =>
  unreadable('The body is not readable as JSON. Send one JSON value in UTF-8.')

const tooManyValues = (): AppError =>
  new AppError('rest_body_too_large', `The body holds more than ${MAX_VALUES} values. Send less.`)

const tooLarge = (): AppError =>
  new AppError('rest_body_too_large', 'The body is larger than 16 MB. Send less.')
