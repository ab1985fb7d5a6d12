import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from 'express'
import type { EndpointServices } from '#wp-frames/api/endpoint'
import { buildEdits } from '#wp-frames/api/endpoints/changes'
import { legacySelectorOf, siteChoiceOfSelector } from '#wp-frames/api/site-choice'
import { ALL_ROWS } from '#wp-frames/changes/changed-rows'
import { findEditedSites } from '#wp-frames/changes/find-edited-sites'
import { forEachBounded } from '#wp-frames/host/concurrency/for-each'
import { AppError } from '#wp-frames/host/errors'
import type { LegacyPath } from '#wp-frames/host/families'
import type { Log } from '#wp-frames/host/log'
import { findChosenBlogId } from '#wp-frames/record/auth/authorize-site'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'

type WrittenSitesServices = Pick<EndpointServices, 'db' | 'executor' | 'effectsBudgetMs'> & {
  readonly globals: GlobalTables
  readonly log: Log
}

/** Sites compared at the same time after a write that names none. */
const SITES_AT_ONCE = 4
/** Attempts at a comparison that other processes overtake. */
const MAX_ATTEMPTS = 3

/** Builds the pages of sites that the old endpoint may have written, as `POST /changed` does. */
export class WrittenSites {
  readonly #services: WrittenSitesServices
  readonly #comparisons = new Map<number, Comparisons>()

  constructor(services: WrittenSitesServices) {
    this.#services = services
  }

  /**
   * Waits until the pages show what a passed request has written, at most for the budget of effects: then the rest is built in the background. Never
   * fails: the poll finds what is left.
   */
  async build(request: Request, path: LegacyPath, body: BodyStart | undefined): Promise<void> {
    const building = this.#build(request, path, body).catch((error: unknown) =>
      this.#services.log.warn(
        { req: { id: request.id }, err: error },
        'the site could not be compared after a write of the old endpoint; the poll or the feed will find what was written',
      ),
    )
    const end = new AbortController()
    const budget = sleep(this.#services.effectsBudgetMs, undefined, { signal: end.signal })
    await Promise.race([building, budget.catch(() => {})])
    end.abort()
  }

  async #build(request: Request, path: LegacyPath, body: BodyStart | undefined): Promise<void> {
    const blogId = await this.#findBlogId(request, path, body)
    await (blogId === 0 ? this.#compareOnce(0, () => this.#buildAll()) : this.#buildSite(blogId))
  }

  /** @returns 0 if it is not clear which site the request means: then it may be any */
  async #findBlogId(
    request: Request,
    { siteId }: LegacyPath,
    body: BodyStart | undefined,
  ): Promise<number> {
    if (siteId !== undefined) return /^0*[1-9]\d*$/.test(siteId) ? Number(siteId) : 0
    const { db, globals } = this.#services
    try {
      const beforeBody = legacySelectorOf(request)
      const selector =
        beforeBody.by === 'blog_id' || !body?.maySelect
          ? beforeBody
          : legacySelectorOf(request, body.parse())
      if (selector.by === 'default') return 0
      return await findChosenBlogId(db, globals, siteChoiceOfSelector(selector))
    } catch (error) {
      // The old endpoint may accept what this service does not.
      if (error instanceof AppError || error instanceof SyntaxError) return 0
      throw error
    }
  }

  #buildSite(blogId: number): Promise<void> {
    return this.#compareOnce(blogId, async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await buildEdits(this.#services, blogId, ALL_ROWS)
          return
        } catch (error) {
          if (attempt === MAX_ATTEMPTS) throw error
        }
      }
    })
  }

  async #buildAll(): Promise<void> {
    const { db, globals } = this.#services
    for await (const { edited } of findEditedSites(db, globals))
      await forEachBounded(edited, SITES_AT_ONCE, ({ blogId }) => this.#buildSite(blogId))
  }

  /** Runs a comparison that begins later than this call. All calls that come before it begins share it. */
  #compareOnce(key: number, compare: () => Promise<void>): Promise<void> {
    const { running, next } = this.#comparisons.get(key) ?? {}
    if (next) return next
    const begin = (): Promise<void> => {
      const begun = compare().finally(() => {
        if (this.#comparisons.get(key)?.running === begun) this.#comparisons.delete(key)
      })
      this.#comparisons.set(key, { running: begun, next: undefined })
      return begun
    }
    if (!running) return begin()
    const waiting = running.then(begin, begin)
    this.#comparisons.set(key, { running, next: waiting })
    return waiting
  }
}

/** The comparison of a site that runs, and the one that follows it. */
type Comparisons = {
  readonly running: Promise<void>
  readonly next: Promise<void> | undefined
}

/** Longest body in which the site of a request is looked for, in bytes. */
export const MAX_SELECTOR_BODY_BYTES = 1024 * 1024

/** Names of fields that choose a site. */
const SELECTORS = ['blog_id', 'domain']

/** The body of a passed request, as far as the choice of the site needs it. It is read beside the stream that is sent. */
export class BodyStart {
  readonly #isJson: boolean
  readonly #isEncoded: boolean
  #chunks: Buffer[] | undefined = []
  #size = 0
  #end = ''
  #hasSelector = false

  constructor(request: Request) {
    this.#isJson = Boolean(request.is(['json', '+json']))
    this.#isEncoded = (request.get('content-encoding') ?? 'identity') !== 'identity'
    request.on('data', (chunk: Buffer) => this.#add(chunk))
  }

  /** Whether the body may choose the site: it has the name of a field that does, or cannot be read. */
  get maySelect(): boolean {
    return this.#hasSelector || (this.#isEncoded && this.#size > 0)
  }

  /** @throws SyntaxError for a body that is too long, or no JSON */
  parse(): unknown {
    if (!this.#isJson || this.#isEncoded || !this.#chunks) throw new SyntaxError('not readable')
    return JSON.parse(Buffer.concat(this.#chunks).toString())
  }

  #add(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > MAX_SELECTOR_BODY_BYTES) this.#chunks = undefined
    this.#chunks?.push(chunk)
    if (this.#hasSelector) return
    // A name may be split between two chunks.
    const text = this.#end + chunk.toString('latin1')
    this.#hasSelector = SELECTORS.some((name) => text.includes(name))
    this.#end = text.slice(-8)
  }
}
