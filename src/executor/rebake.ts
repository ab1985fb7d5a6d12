import { resolve } from 'node:path'
import type { Bake } from '../baking/bake-frame.ts'
import { type CopyHeader, languageIn } from '../baking/baked-copy.ts'
import type { Dependent } from '../baking/dependents.ts'
import type { RebakeEffect, RebakeOutcome } from '../change.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
import { inBatches } from '../db/sql.ts'
import type { Log } from '../log.ts'
import { findCopyProblem, type SurveyedCopy, surveyCopies } from '../publishing/copy-survey.ts'
import { copyFolderForUrl } from '../publishing/static-path.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { isPretty } from '../wordpress/permalinks/link-settings.ts'
import { logAndDescribe } from './executor.ts'
import { isPubliclyRoutable } from './page-publication.ts'
import type { PublishOptions } from './publish-pages.ts'
import type { SiteBuild } from './site-build.ts'

type Rebaked = Omit<RebakeEffect, 'cache'>

/** Batches baked concurrently: a bake mostly waits for the database. */
const BATCHES_AT_ONCE = 4
/** Markup per batch, in bytes: the copies of a batch stay in memory until all are stored. */
const BATCH_BYTES = 1024 * 1024

/**
 * Updates the baked copies of these frames. A frame that fails does not affect the others.
 * @param limit how many frames to process; the others are listed in `skipped`. Frames with a stale baked copy, or with pages to publish, come
 * first, so that the next call continues where this one stopped.
 */
export async function rebake(
  build: SiteBuild,
  dependents: readonly Dependent[],
  limit: number | undefined,
  options: PublishOptions,
): Promise<Rebaked> {
  const unpublished = new UnpublishedFrames(options, build)
  const chosen = await chooseDependents(build, dependents, limit ?? dependents.length, unpublished)
  const outcomes = new Map<Dependent, RebakeOutcome>()
  const batches = inBatches(chosen, BATCH_BYTES, ({ frame }) => build.graph.closureBytes(frame.id))
  await forEachBounded(batches, BATCHES_AT_ONCE, async (batch) => {
    const bakes = await build.bakeAll(batch.map(({ frame }) => frame.id))
    batch.forEach((dependent, index) => {
      outcomes.set(dependent, rebakedFrameOf(dependent, bakes[index], options.log))
    })
  })
  const frames = chosen.flatMap((dependent) => outcomes.get(dependent) ?? [])
  const count = (outcome: RebakeOutcome['bake']) =>
    frames.filter(({ bake }) => bake === outcome).length
  const failed = count('failed')
  return {
    status: failed === 0 ? 'ok' : 'failed',
    total: frames.length,
    baked: count('baked'),
    not_needed: count('not_needed'),
    failed,
    frames,
    ...(limit === undefined
      ? {}
      : {
          skipped: dependents
            .filter((dependent) => !outcomes.has(dependent))
            .map(({ frame: { slug } }) => slug),
        }),
  }
}

/** Chooses up to `limit` frames: those with a stale copy first, then those with pages to publish, then others. Keeps their order. */
async function chooseDependents(
  build: SiteBuild,
  dependents: readonly Dependent[],
  limit: number,
  unpublished: UnpublishedFrames,
): Promise<readonly Dependent[]> {
  if (dependents.length <= limit) return dependents
  const toBake: string[] = []
  const toPublish: string[] = []
  for (const batch of inBatches(dependents, limit)) {
    if (toBake.length >= limit) break
    const ids = batch.map(({ frame }) => frame.id)
    const baked = await build.freshHeaders(ids)
    toBake.push(...ids.filter((id) => !baked.has(id)))
    if (toPublish.length < limit) toPublish.push(...(await unpublished.findAmong(baked)))
  }
  const inOrder = new Set([...toBake, ...toPublish, ...dependents.map(({ frame }) => frame.id)])
  const chosen = new Set([...inOrder].slice(0, limit))
  return dependents.filter(({ frame }) => chosen.has(frame.id))
}

const DETAILS = {
  cached: 'The copy was up to date.',
  unchanged: 'The copy was baked again; its output did not change.',
  changed: 'The copy was baked again.',
}

function rebakedFrameOf(
  { frame: { id, slug }, because }: Dependent,
  bake: PromiseSettledResult<Bake> | undefined,
  log: Log,
): RebakeOutcome {
  const entry = { id, slug, because }
  if (bake?.status !== 'fulfilled') {
    return { ...entry, bake: 'failed', detail: logAndDescribe(bake?.reason, log) }
  }
  const { outcome } = bake.value
  return {
    ...entry,
    bake: outcome === 'changed' ? 'baked' : 'not_needed',
    detail: DETAILS[outcome],
  }
}

/** Finds frames with pages that are still to be published. */
class UnpublishedFrames {
  readonly #options: PublishOptions
  readonly #build: SiteBuild
  #copies: Promise<ReadonlyMap<number, SurveyedCopy>> | undefined

  constructor(options: PublishOptions, build: SiteBuild) {
    this.#options = options
    this.#build = build
  }

  /**
   * The frames with a page whose static copy is missing or stale. The disk is read once, on the first call.
   * @param baked headers of the frames' fresh baked copies, by frame id
   */
  async findAmong(baked: ReadonlyMap<string, CopyHeader>): Promise<Set<string>> {
    const { data } = this.#build
    const found = new Set<string>()
    const { staticDir, site } = this.#options
    if (staticDir === undefined || baked.size === 0 || !isPretty(await data.links())) return found
    this.#copies ??= copiesByPage(staticDir, site)
    const copies = await this.#copies
    const ids = await this.#build.pagesOn([...baked.keys()])
    const pages = new Map((await data.pagesById(ids)).map((page) => [page.id, page]))
    for (const [frame, header] of baked) {
      for (const id of await this.#build.pagesOn([frame])) {
        const page = pages.get(id)
        if (!page || !(await this.#isUnpublished(staticDir, page, header, copies.get(id)))) continue
        found.add(frame)
        break
      }
    }
    return found
  }

  async #isUnpublished(
    staticDir: string,
    page: Page,
    header: CopyHeader,
    copy: SurveyedCopy | undefined,
  ): Promise<boolean> {
    const { data } = this.#build
    const url = await data.urlOf(page)
    const lang = page.lang ?? (await data.defaultLanguage())
    const isTrue =
      copy?.url === url && !findCopyProblem(copy, page, languageIn(header, lang)?.fingerprint)
    if (isTrue || copyFolderForUrl(staticDir, url) === undefined) return false
    return isPubliclyRoutable(this.#options, this.#build, page)
  }
}

async function copiesByPage(staticDir: string, { blogId }: Site) {
  const { copies } = await surveyCopies(resolve(staticDir), blogId)
  return new Map(copies.map((copy) => [copy.page, copy]))
}
