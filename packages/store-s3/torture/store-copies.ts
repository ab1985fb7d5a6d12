import { gunzipSync } from 'node:zlib'
import { forEachBounded } from '../../../src/host/concurrency/for-each.ts'
import { sha256Hex } from '../../../src/host/hash.ts'
import { TIMINGS } from '../../../src/host/timings.ts'
import { isWholePage } from '../../../test/torture/support/frame-markup.ts'
import type { FreshPage } from '../../../test/torture/support/fresh-render.ts'
import { markOf, type StaticCopies } from '../../../test/torture/support/static-copies.ts'
import { type CopyObject, objectOf } from '../src/copy-object.ts'
import { StoreClient } from '../src/store-client.ts'
import { StoreCredentials } from '../src/store-credentials.ts'
import { copyKeyForUrl } from '../src/store-key.ts'
import { StoreObjects } from '../src/store-objects.ts'
import { runObjectStore, storeAt } from '../test/object-store.ts'
import { STORE_CREDENTIALS } from '../test/store-keys.ts'
import { startStoreRelay } from '../test/store-relay.ts'

const BUCKET = 'copies'
const PREFIX = 'live/'
/** Requests of the reader at once. */
const AT_ONCE = 8

/** An object of a copy. */
type StoredCopy = CopyObject & { readonly html: string; readonly fault?: string }

/**
 * The static copies in an S3 server of the trial. The service reaches it through a relay, with access keys that name its processes; the trial
 * itself reaches it directly.
 */
export async function openStoreCopies(): Promise<StaticCopies> {
  const server = await runObjectStore()
  await server.createBucket(BUCKET)
  const relay = await startStoreRelay(server.endpoint, { keepsRequests: false })
  const setting = `s3://${BUCKET}/${PREFIX}?endpoint=${encodeURIComponent(relay.endpoint)}`
  const address = server.address(BUCKET, PREFIX)
  const client = new StoreClient(
    address,
    new StoreCredentials(STORE_CREDENTIALS, TIMINGS.store),
    TIMINGS.store,
  )
  const reader = new CopyObjects(new StoreObjects(client))
  const sent = new Map<string, number>()
  const count: typeof relay.interfere = (request) => {
    const [, key = ''] = /Credential=([^/]+)/.exec(request.headers.authorization ?? '') ?? []
    const bytes = request.method === 'PUT' ? Number(request.headers['content-length'] ?? 0) : 0
    sent.set(key, (sent.get(key) ?? 0) + bytes)
    return undefined
  }
  relay.interfere = count
  return {
    settings: {
      staticDir: undefined,
      openStore: storeAt(server.address(BUCKET, PREFIX)),
    },
    envOf: (name) => ({
      STATIC_TARGET: setting,
      AWS_ACCESS_KEY_ID: keyOf(name),
      AWS_SECRET_ACCESS_KEY: 'secret-of-the-trial',
    }),
    bytesBy: (name) => sent.get(keyOf(name)) ?? 0,
    interfere: (how) => {
      relay.interfere = (request) => count(request) ?? how(request)
    },
    findTorn: () => reader.findTorn(),
    findDifferences: (site, pages) => reader.findDifferences(site, pages),
    // What is not finished is in the database.
    findLeftovers: async () => [],
    readTime: (url) => reader.readTime(url),
    close: async () => {
      client.close()
      await relay.stop()
      await server.stop()
    },
  }
}

const keyOf = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '')

/** Reads the objects of copies. One that has not changed since the last look is not read again. */
class CopyObjects {
  readonly #objects: StoreObjects
  #read = new Map<string, StoredCopy>()

  constructor(objects: StoreObjects) {
    this.#objects = objects
  }

  /** All copies, by key; placeholders are none. Other keys are in `others`. */
  async #all(): Promise<{ copies: ReadonlyMap<string, StoredCopy>; others: readonly string[] }> {
    const keys: string[] = []
    for await (const some of this.#objects.list(0, PREFIX)) keys.push(...some)
    const isCopy = (key: string) => key.endsWith('/index.html')
    const found = new Map<string, StoredCopy>()
    await forEachBounded(keys.filter(isCopy), AT_ONCE, async (key) => {
      const copy = await this.#get(key)
      if (copy) found.set(key, copy)
    })
    this.#read = found
    const copies = new Map([...found].filter(([, { isPlaceholder }]) => !isPlaceholder))
    return { copies, others: keys.filter((key) => !isCopy(key)) }
  }

  /** Undefined if there is none. */
  async #get(key: string): Promise<StoredCopy | undefined> {
    const known = this.#read.get(key)
    const object = await this.#objects.get(0, key, { unlessTag: known?.etag })
    if (object === 'unchanged') return known
    if (object === undefined) return undefined
    const copy = objectOf(object.headers)
    if (copy.isPlaceholder) return { ...copy, html: '' }
    try {
      const html = gunzipSync(object.body).toString()
      if (sha256Hex(html) === copy.facts?.sha256) return { ...copy, html }
      return { ...copy, html, fault: 'its digest is that of another content' }
    } catch (error) {
      return { ...copy, html: '', fault: `${object.body.length} bytes, ${String(error)}` }
    }
  }

  async findTorn(): Promise<string[]> {
    const { copies } = await this.#all()
    return [...copies].flatMap(([key, { html, fault }]) => {
      if (fault !== undefined) return `${key} is incomplete: ${fault}`
      return isWholePage(html) ? [] : `${key} is incomplete: ${JSON.stringify(html.slice(-80))}`
    })
  }

  async findDifferences(site: number, pages: readonly FreshPage[]): Promise<string[]> {
    const { copies, others } = await this.#all()
    const found: string[] = []
    const expected = new Set<string>()
    for (const { page, url, html } of pages) {
      const key = copyKeyForUrl(PREFIX, url)
      if (key === undefined) continue
      expected.add(key)
      const wrong = differenceOf(copies.get(key), { site, page, url }, html)
      if (wrong !== undefined) found.push(`the copy of page ${page} ${wrong}`)
    }
    const isOwn = (key: string) => key === `${PREFIX}.wp-frames` || key.includes('/.published/')
    const left = [...others.filter((key) => !isOwn(key)), ...copies.keys()]
    return [
      ...found,
      ...left.filter((key) => !expected.has(key)).map((key) => `${key} is left over`),
    ]
  }

  async readTime(url: string): Promise<string | undefined> {
    const key = copyKeyForUrl(PREFIX, url)
    if (key === undefined) return undefined
    const copy = await this.#get(key)
    return copy?.facts ? String(copy.facts.written) : ''
  }
}

function differenceOf(
  copy: StoredCopy | undefined,
  owner: { readonly site: number; readonly page: number; readonly url: string },
  html: string,
): string | undefined {
  if (copy === undefined) return `is missing, expected ${markOf(html)}`
  if (copy.fault !== undefined) return `is damaged: ${copy.fault}`
  if (copy.html !== html) return `shows ${markOf(copy.html)}, not ${markOf(html)}`
  const { facts } = copy
  const isOwn = facts?.site === owner.site && facts.page === owner.page && facts.url === owner.url
  return isOwn ? undefined : `belongs to ${JSON.stringify(facts)} according to its metadata`
}
