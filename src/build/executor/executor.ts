import type { FrameGraph } from '../../content/frames/graph.ts'
import type { MarkupReport } from '../../content/markup/markup-report.ts'
import type { Change } from '../../content/work/change.ts'
import type { RecordedChange } from '../../content/work/record-work.ts'
import type { Work } from '../../content/work/work.ts'
import type { Database } from '../../db/database.ts'
import { isDatabaseUnavailable } from '../../db/database-error.ts'
import type { Tx } from '../../db/transaction.ts'
import type { MarkVolatile } from '../../db/validated-reads.ts'
import type { CacheEffect, Effects, RebakeEffect } from '../../host/effects.ts'
import { AppError } from '../../host/errors.ts'
import type { Log } from '../../host/log.ts'
import { tableErrorOf } from '../../wordpress/health/table-knowledge.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Page } from '../../wordpress/pages/posts.ts'
import type { ShownTags } from '../publishing/cache-tags.ts'
import { CopyFailedError } from '../publishing/copy-failure.ts'
import { codeOf, isOutageCode } from '../publishing/storage-error.ts'

/** What a client wants to build again: what it declares as changed, and how many frames at most. */
export type RebakeRequest = { readonly work: readonly Work[]; readonly limit: number }

/** Applies committed changes to everything that visitors see. */
export type Executor = {
  /**
   * Waits until the recorded work of a committed change is done, at most for the time budget of requests. Failures are reported in the
   * effects, not thrown; what is left goes on in the background.
   * @throws AppError `internal_unavailable` if the executor is apart and does not answer
   */
  apply(site: Site, change: RecordedChange): Promise<Effects>
  /**
   * Begins to read, in the transaction that writes markup, what its build needs besides. Undefined, or not there in a dry run: the markup is built after
   * the commit.
   */
  readonly within?:
    | ((tx: Tx, site: Site, write: WrittenMarkup) => BuildWithin | undefined)
    | undefined
  /** Builds frames again on request: chooses and records them, and applies that. */
  rebake(site: Site, request: RebakeRequest): Promise<Effects>
  /** A page as visitors see it; undefined if it is not public or has no frame. */
  render(site: Site, page: Page, within?: RecordedRead): Promise<VisiblePage | undefined>
}

/** The markup that a transaction writes, and the frame, unless it is a new one. */
export type WrittenMarkup = {
  readonly ref?: string | undefined
  readonly html?: unknown
  readonly report?: MarkupReport | undefined
}

/** The HTML of a page, and what it shows. */
export type VisiblePage = { readonly html: string; readonly shown?: ShownTags }

/**
 * Builds what follows from a change in its transaction, if it needs nothing but what the transaction writes.
 * @param graph the site's graph with the change
 * @returns undefined if it is built after the commit
 */
export type BuildWithin = (change: Change, graph: FrameGraph) => Promise<Effects | undefined>

/** The validated read that a render is a part of, see `Database.validated`. */
type RecordedRead = { readonly db: Database; readonly markVolatile: MarkVolatile }

/** The message of a failed build for API clients: that of an `AppError`. Any other error is logged, and the message refers to the log. */
export function logAndDescribe(
  error: unknown,
  log: Log,
  level: 'error' | 'debug' = 'error',
): string {
  const known = error instanceof AppError ? error : tableErrorOf(error)
  if (known) return known.message
  log[level]({ err: error }, 'build failed')
  if (error instanceof CopyFailedError) return error.message
  return 'The build failed; the reason is in the log of the service. Your change is saved.'
}

/** Logs why a frame or page (its id) failed, and returns a message for clients. */
export type FailureLog = (id: string, error: unknown) => string

/** True if the database, the disk or the process cannot do any work now: nothing is wrong with the page or frame. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'service_busy'
  if (error instanceof CopyFailedError) return error.failure.isOutage
  return isOutageCode(codeOf(error)) || isDatabaseUnavailable(error)
}

/** True if the executor that is apart did not answer. */
export function isExecutorUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'internal_unavailable'
}

/** The effect of a rebake without any frame. */
export const NOTHING_REBAKED: Omit<RebakeEffect, 'cache'> = {
  status: 'skipped',
  total: 0,
  baked: 0,
  not_needed: 0,
  failed: 0,
  frames: [],
}

const SKIPPED_CACHE: CacheEffect = {
  status: 'skipped',
  scope: 'pages',
  pages: [],
  flushed: { urls: { status: 'skipped', by: 'none', urls: [], skipped: [] } },
}

/**
 * The effects of a committed change for which nothing was built.
 * @param why the build failed; undefined if no build was requested
 */
export function skippedEffects(
  { bake, frame }: Pick<Change, 'bake' | 'frame'>,
  why?: string,
): Effects {
  const failure = why === undefined ? undefined : ({ status: 'failed', message: why } as const)
  return {
    bake: bake && frame !== undefined && failure ? failure : { status: 'skipped' },
    rebaked: { ...NOTHING_REBAKED, ...(bake ? failure : {}), cache: SKIPPED_CACHE },
    statics: new Map(),
    republish: { ...(failure ?? { status: 'skipped' }), cache: SKIPPED_CACHE },
  }
}
