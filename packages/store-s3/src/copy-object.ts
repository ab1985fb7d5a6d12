import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { CopyTags } from '#wp-frames/build/publishing/cache-tags'
import type { CheckedCopy, CopyFiles } from '#wp-frames/build/publishing/copy-store'
import { type CopyOwner, parseShown } from '#wp-frames/build/publishing/static-copy'

/** What a store knows about the object of a copy. */
export type CopyObject = {
  /** An empty object that keeps its key occupied (`PLACEHOLDER_HEADERS`): no copy. */
  readonly isPlaceholder: boolean
  /** As the store writes it, with quotes. */
  readonly etag: string
  readonly htmlBytes: number
  /** Undefined for an object that another program has stored. */
  readonly facts: CopyFacts | undefined
}

/** The metadata of a copy. */
export type CopyFacts = CopyOwner & {
  /** Identity of the network. */
  readonly network: string
  /** The version of the site of which the copy was built. */
  readonly version: number
  /** When it was written, in microseconds since 1970, with a random fraction of a millisecond. */
  readonly written: number
  /** SHA-256 of the HTML. */
  readonly sha256: string
  readonly htmlBytes: number
  /** Id of the claim that has written it. */
  readonly claim: string
}

const PREFIX = 'x-amz-meta-'
const TAGS = `${PREFIX}cache-tag`
/** The headers of a placeholder. Its body is compressed as that of a copy, so that no two placeholders have the same entity tag. */
export const PLACEHOLDER_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Encoding': 'gzip',
  'Cache-Control': 'no-store',
  [`${PREFIX}placeholder`]: '1',
}
/** Values that are not ASCII are percent-encoded after this. */
const ENCODED = 'utf-8:'

/** Metadata of an object, in bytes with the names. Amazon's store refuses more than 2,048. */
export const MAX_METADATA_BYTES = 2000

/**
 * The headers that store the metadata. `cache-tag` has the tags that the front sends, as CloudFront reads them, and `shown` what they are made of. A copy
 * with a long URL has only the tags by which it is purged.
 */
export function headersOf(facts: CopyFacts, tagged?: CopyTags): Record<string, string> {
  const headers = plainHeadersOf(facts)
  if (tagged === undefined) return headers
  const { own, more, shown } = tagged
  const withTags = (tags: readonly string[]) => ({ ...headers, [TAGS]: tags.join(',') })
  const all = {
    ...withTags([...own, ...more]),
    ...(shown && { [`${PREFIX}shown`]: JSON.stringify(shown) }),
  }
  const bytes = Object.entries(all).reduce((sum, [name, value]) => sum + (name + value).length, 0)
  return bytes > MAX_METADATA_BYTES ? withTags(own) : all
}

function plainHeadersOf(facts: CopyFacts): Record<string, string> {
  const isPlain = /^[\x21-\x7e]+$/.test(facts.url)
  const values: Readonly<Record<string, string | number>> = {
    network: facts.network,
    site: facts.site,
    page: facts.page,
    url: isPlain ? facts.url : ENCODED + encodeURIComponent(facts.url),
    version: facts.version,
    written: facts.written,
    sha256: facts.sha256,
    'html-bytes': facts.htmlBytes,
    claim: facts.claim,
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [PREFIX + name, String(value)]),
  )
}

/** The object that the headers of an answer describe. */
export function objectOf(headers: IncomingHttpHeaders): CopyObject {
  const facts = factsOf(headers)
  const size = Number(headers['content-length'] ?? 0)
  const isPlaceholder = headers[`${PREFIX}placeholder`] !== undefined
  return { isPlaceholder, etag: headers.etag ?? '', htmlBytes: facts?.htmlBytes ?? size, facts }
}

function factsOf(headers: IncomingHttpHeaders): CopyFacts | undefined {
  const text = (name: string) => String(headers[PREFIX + name] ?? '')
  const number = (name: string) => (text(name) === '' ? Number.NaN : Number(text(name)))
  const facts: CopyFacts = {
    network: text('network'),
    site: number('site'),
    page: number('page'),
    url: urlOf(text('url')),
    version: number('version'),
    written: number('written'),
    sha256: text('sha256'),
    htmlBytes: number('html-bytes'),
    claim: text('claim'),
  }
  const shown = parseShown(text('shown'))
  const numbers = [facts.site, facts.page, facts.version, facts.written, facts.htmlBytes]
  if (!numbers.every(Number.isSafeInteger)) return undefined
  return shown ? { ...facts, shown } : facts
}

function urlOf(value: string): string {
  if (!value.startsWith(ENCODED)) return value
  try {
    return decodeURIComponent(value.slice(ENCODED.length))
  } catch {
    return value
  }
}

/** Where a gzip file has its modification time (RFC 1952, section 2.3), which nobody reads here. */
const TIME_AT = 4

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/**
 * Compresses HTML. The bytes differ each time, so that no two writes of a key have the same entity tag: a late write is recognized by it.
 */
export async function encodeHtml(html: Buffer): Promise<Buffer> {
  const bytes = await compress(html)
  bytes.writeUInt32LE(Math.floor(Math.random() * 2 ** 32), TIME_AT)
  return bytes
}

/** Largest HTML of an object, in bytes: a few kilobytes of gzip can become gigabytes. */
export const MAX_HTML_BYTES = 64 * 1024 * 1024

/** Decompresses an object; undefined if it is damaged or too large. A gzip file ends with a checksum of its content. */
export function decodeHtml(bytes: Buffer): Promise<Buffer | undefined> {
  return decompress(bytes, { maxOutputLength: MAX_HTML_BYTES }).catch(() => undefined)
}

/** Compares an object with the record of a copy, see `CopyStore.check`. */
export function compareObject(
  site: number,
  { page, digest, fileTime, htmlBytes }: CheckedCopy,
  object: CopyObject | undefined,
): CopyFiles {
  if (object === undefined || object.isPlaceholder) return 'missing'
  const { facts } = object
  if (facts && (facts.site !== site || facts.page !== page)) return 'missing'
  if (fileTime === undefined) return 'intact'
  const isAsRecorded =
    fileTime === facts?.written &&
    htmlBytes === object.htmlBytes &&
    (digest === undefined || digest === facts.sha256)
  return isAsRecorded ? 'intact' : 'damaged'
}
