import type { TokenBucketOptions } from '../../../host/concurrency/token-bucket.ts'

/** What a page cache or the API of a CDN accepts. */
export type PurgeLimits = TokenBucketOptions & {
  /** Tags of one request. */
  readonly tagsPerRequest: number
  /** Pages of a site that are purged one by one; more are purged with the tag of their site. */
  readonly pagesPerSite: number
}

/** Purges the pages with a tag from one page cache. */
export type TagPurger = {
  /** For logs and messages; contains no secret. */
  readonly name: string
  readonly limits: PurgeLimits
  /**
   * Sends one request.
   * @param tags at most `tagsPerRequest`
   * @throws PurgeError
   */
  purge(tags: readonly string[]): Promise<void>
}

/** One request to a page cache. */
export type PurgeRequest = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** How pages are purged from a page cache. */
export type TaggedCache = Pick<TagPurger, 'name' | 'limits'> & {
  /** What to do if a request is refused, as a sentence. */
  readonly hint: string
  readonly request: (tags: readonly string[]) => PurgeRequest
  /** Whether a body, with a status below 300, says that the pages were purged [always]. */
  readonly isPurged?: (body: string) => boolean
}

/** A page cache did not purge. The message is a sentence for operators, without secrets. */
export class PurgeError extends Error {
  override readonly name = 'PurgeError'
  /** How long it accepts no further request, in milliseconds; undefined if it did not say so. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}
