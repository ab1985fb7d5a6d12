import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

/** The body of a response as it is sent, and its entity tag. */
export type Answer = {
  readonly bytes: Buffer
  readonly tag: string | undefined
  /** Of the request that has written: the history has it. */
  readonly requestId: string
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const AUTH_TAG_BYTES = 16

/** Quality 1: see `history/content.ts`. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Compresses and encrypts an answer. It may contain a new token, of which the database must not know more than a hash. */
export async function sealAnswer(
  { bytes, tag = '', requestId }: Answer,
  secret: Buffer,
): Promise<Buffer> {
  const text = Buffer.concat([Buffer.from(`${requestId} ${tag}\n`), bytes])
  const compressed = await promisify<Buffer, object, Buffer>(brotliCompress)(text, COMPRESSION)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, secret, iv)
  const sealed = [cipher.update(compressed), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed])
}

/** @throws if the secret is another one, or the sealed answer was changed */
export async function openAnswer(sealed: Buffer, secret: Buffer): Promise<Answer> {
  const at = IV_BYTES + AUTH_TAG_BYTES
  const decipher = createDecipheriv(CIPHER, secret, sealed.subarray(0, IV_BYTES))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, at))
  const compressed = Buffer.concat([decipher.update(sealed.subarray(at)), decipher.final()])
  const text = await promisify<Buffer, Buffer>(brotliDecompress)(compressed)
  const end = text.indexOf('\n')
  const [requestId = '', tag] = text.toString('utf8', 0, end).split(' ')
  return { bytes: text.subarray(end + 1), tag: tag || undefined, requestId }
}
