import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { nameOf, type StoreAddress } from '#wp-frames/host/config/store-address'
import { asCode } from './store-answer.ts'
import type { StoreClient, StoreRequest } from './store-client.ts'
import { StoreError } from './store-error.ts'
import { findTag, findTags } from './store-xml.ts'

/** The requests for objects that the store of static copies is made of. */
export class StoreObjects {
  readonly #client: StoreClient

  constructor(client: StoreClient) {
    this.#client = client
  }

  get address(): StoreAddress {
    return this.#client.address
  }

  get name(): string {
    return nameOf(this.#client.address)
  }

  /** The headers of an object; undefined if there is none. */
  async head(lane: number, key: string): Promise<IncomingHttpHeaders | undefined> {
    const { status, headers } = await this.#client.send(lane, {
      method: 'HEAD',
      key,
      expected: [404],
    })
    return status === 404 ? undefined : headers
  }

  /** The mode in which the bucket keeps each object for a time (Object Lock); undefined if it does not, or does not say so. */
  async findRetention(lane: number): Promise<string | undefined> {
    const { status, body } = await this.#client.send(lane, {
      method: 'GET',
      key: '',
      query: { 'object-lock': '' },
      // Also stores that do not know the request, and keys without the right to it.
      expected: [400, 401, 403, 404, 405, 409, 501],
    })
    const xml = body.toString()
    return status === 200 && xml.includes('<DefaultRetention>')
      ? asCode(findTag(xml, 'Mode'))
      : undefined
  }

  /** An object; undefined if there is none, `unchanged` if it still has the given entity tag. A missing bucket is an error. */
  async get(
    lane: number,
    key: string,
    { isUrgent = false, unlessTag }: GetOptions = {},
  ): Promise<StoredObject | 'unchanged' | undefined> {
    const headers: Record<string, string> = {}
    if (unlessTag !== undefined) headers['If-None-Match'] = unlessTag
    try {
      const request = { method: 'GET', key, isUrgent, headers, expected: [304] } as const
      const response = await this.#client.send(lane, request)
      return response.status === 304 ? 'unchanged' : response
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  /**
   * Stores an object. Buckets with Object Lock demand a checksum.
   * @param condition `If-Match` or `If-None-Match` [none]
   * @returns its entity tag; undefined if the condition is not met
   */
  async put(
    lane: number,
    key: string,
    body: Buffer,
    { headers = {}, condition = {}, ...attempts }: PutOptions = {},
  ): Promise<string | undefined> {
    const response = await this.#client.send(lane, {
      method: 'PUT',
      key,
      body,
      headers: { ...headers, ...condition, 'Content-MD5': md5Of(body) },
      // 404: If-Match on an object that is gone. 409: a race for a condition.
      expected: Object.keys(condition).length === 0 ? [] : [404, 409, 412],
      ...attempts,
    })
    if (response.status === 404 && findTag(response.body.toString(), 'Code') === 'NoSuchBucket')
      throw new Error('the bucket is gone')
    return response.status < 300 ? (response.headers.etag ?? '') : undefined
  }

  /**
   * Deletes an object.
   * @param etag only if it has this entity tag [in any case]
   * @returns false if it has another one
   */
  async delete(lane: number, key: string, options: DeletionOptions = {}): Promise<boolean> {
    const { etag, ...attempts } = options
    const { status } = await this.#client.send(lane, {
      method: 'DELETE',
      key,
      headers: etag === undefined ? {} : { 'If-Match': etag },
      expected: [404, 409, 412],
      ...attempts,
    })
    return status < 300 || status === 404
  }

  /** The keys that begin with a prefix, in pages of the store. */
  async *list(lane: number, prefix: string): AsyncGenerator<string[]> {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { body } = await this.#client.send(lane, {
        method: 'GET',
        key: '',
        query: {
          'list-type': '2',
          'encoding-type': 'url',
          prefix,
          ...(token === '' ? {} : { 'continuation-token': token }),
        },
      })
      const xml = body.toString()
      yield findTags(xml, 'Key').map((key) => decodeURIComponent(key.replaceAll('+', ' ')))
      token =
        findTag(xml, 'IsTruncated') === 'true' ? findTag(xml, 'NextContinuationToken') : undefined
    }
  }
}

const md5Of = (body: Buffer): string => createHash('md5').update(body).digest('base64')

type StoredObject = { readonly headers: IncomingHttpHeaders; readonly body: Buffer }

type GetOptions = {
  /** A visitor waits. */
  readonly isUrgent?: boolean
  readonly unlessTag?: string | undefined
}

type AttemptOptions = Pick<StoreRequest, 'beforeSigning' | 'onUnanswered'>

type PutOptions = AttemptOptions & {
  readonly headers?: Readonly<Record<string, string>>
  readonly condition?: Readonly<Record<string, string>>
}

type DeletionOptions = AttemptOptions & { readonly etag?: string }

const isMissing = (error: unknown): boolean =>
  error instanceof StoreError && error.status === 404 && error.code !== 'NoSuchBucket'
