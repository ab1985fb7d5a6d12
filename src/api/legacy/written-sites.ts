import type { Request } from 'express'
import { findChosenBlogId } from '../../auth/authorize-site.ts'
import { forEachBounded } from '../../concurrency/for-each.ts'
import { KeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { findEditedSites } from '../../edits/find-edited-sites.ts'
import type { LegacyPath } from '../../legacy/families.ts'
import type { Log } from '../../log.ts'
import { ALL_ROWS } from '../../seen/changed-rows.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { buildEdits } from '../changes/build-edits.ts'
import type { EndpointServices } from '../endpoint.ts'
import { legacySelectorOf, siteChoiceOfPath, siteChoiceOfSelector } from '../site-choice.ts'

type WrittenSitesServices = Pick<EndpointServices, 'db' | 'executor' | 'effectsBudgetMs'> & {
  readonly globals: GlobalTables
  readonly log: Log
}

/** Sites compared at the same time after a write that names none. */
const SITES_AT_ONCE = 4

/** Builds the pages of sites that the old endpoint may have written, as `POST /changed` does. */
export class WrittenSites {
  readonly #services: WrittenSitesServices
  /** Comparisons of one site follow one another: at the same time, each would have to start again when another one is stored. */
  readonly #mutex = new KeyedMutex()

  constructor(services: WrittenSitesServices) {
    this.#services = services
  }

  /** Waits until the pages show what a passed request has written, or until the budget of effects has ended. Never fails: the poll finds what is left. */
  async build(request: Request, path: LegacyPath, body: BodyStart | undefined): Promise<void> {
    try {
      const blogId = await this.#findBlogId(request, path, body)
      if (blogId === undefined) await this.#mutex.run('', () => this.#buildAll())
      else if (blogId > 0) await this.#buildSite(blogId)
    } catch (error) {
      this.#services.log.warn(
        { req: { id: request.id }, err: error },
        'the site could not be compared after a write of the old endpoint; the poll or the feed will find what was written',
      )
    }
  }

  /** @returns 0 for a site that does not exist; undefined if the request names none: then it may write any */
  async #findBlogId(
    request: Request,
    { siteId }: LegacyPath,
    body: BodyStart | undefined,
  ): Promise<number | undefined> {
    const { db, globals } = this.#services
    const selector = siteId === undefined ? legacySelectorOf(request, body?.parse()) : undefined
    if (selector?.by === 'default') return undefined
    const choice = selector ? siteChoiceOfSelector(selector) : siteChoiceOfPath(siteId ?? '')
    return findChosenBlogId(db, globals, choice)
  }

  #buildSite(blogId: number): Promise<void> {
    return this.#mutex.run(String(blogId), async () => {
      await buildEdits(this.#services, blogId, ALL_ROWS)
    })
  }

  async #buildAll(): Promise<void> {
    const { db, globals } = this.#services
    for await (const { edited } of findEditedSites(db, globals))
      await forEachBounded(edited, SITES_AT_ONCE, ({ blogId }) => this.#buildSite(blogId))
  }
}

/** Longest body in which the site of a request is looked for, in bytes. */
export const MAX_SELECTOR_BODY_BYTES = 1024 * 1024

/** The body of a passed request, as far as the choice of the site needs it. It is read beside the stream that is sent. */
export class BodyStart {
  #chunks: Buffer[] | undefined = []
  #size = 0

  constructor(request: Request) {
    if (!request.is('application/json')) return
    request.on('data', (chunk: Buffer) => {
      this.#size += chunk.length
      if (this.#size > MAX_SELECTOR_BODY_BYTES) this.#chunks = undefined
      this.#chunks?.push(chunk)
    })
  }

  /** Undefined for a body that is too long or no JSON. */
  parse(): unknown {
    try {
      return this.#chunks && JSON.parse(Buffer.concat(this.#chunks).toString())
    } catch {
      return undefined
    }
  }
}
