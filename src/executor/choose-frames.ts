import { type CopyHeader, languageIn } from '../baking/baked-copy.ts'
import type { Dependent } from '../baking/dependents.ts'
import { inBatches } from '../db/sql.ts'
import { findCopyProblem, type SurveyedCopy, surveyCopies } from '../publishing/copy-survey.ts'
import type { CopyTarget } from '../publishing/copy-target.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { isPretty } from '../wordpress/permalinks/link-settings.ts'
import { isPubliclyRoutable, type RoutingOptions } from './page-publication.ts'
import type { SiteBuild } from './site-build.ts'

export type ChooseOptions = RoutingOptions & {
  /** The static copies; undefined if they are turned off. */
  readonly copies: CopyTarget | undefined
}

/**
 * Chooses up to `limit` frames to bake: those with a stale baked copy first, then those with pages to publish, then others. Keeps their order.
 * @param rest which others may be chosen
 */
export async function chooseFrames(
  build: SiteBuild,
  dependents: readonly Dependent[],
  rest: readonly Dependent[],
  limit: number,
  options: ChooseOptions,
): Promise<readonly Dependent[]> {
  if (dependents.length <= limit) return dependents
  const unpublished = new UnpublishedFrames(options, build)
  const toBake: string[] = []
  const toPublish: string[] = []
  for (const batch of inBatches(dependents, limit)) {
    if (toBake.length >= limit) break
    const ids = batch.map(({ frame }) => frame.id)
    const baked = await build.freshHeaders(ids)
    toBake.push(...ids.filter((id) => !baked.has(id)))
    if (toPublish.length < limit) toPublish.push(...(await unpublished.findAmong(baked)))
  }
  const inOrder = new Set([...toBake, ...toPublish, ...rest.map(({ frame }) => frame.id)])
  const chosen = new Set([...inOrder].slice(0, limit))
  return dependents.filter(({ frame }) => chosen.has(frame.id))
}

/** Finds frames with pages that are still to be published. */
class UnpublishedFrames {
  readonly #options: ChooseOptions
  readonly #build: SiteBuild
  #copies: Promise<ReadonlyMap<number, SurveyedCopy>> | undefined

  constructor(options: ChooseOptions, build: SiteBuild) {
    this.#options = options
    this.#build = build
  }

  /**
   * The frames with a page whose static copy is missing or stale. They are compared once, on the first call.
   * @param baked headers of the frames' fresh baked copies, by frame id
   */
  async findAmong(baked: ReadonlyMap<string, CopyHeader>): Promise<Set<string>> {
    const { data } = this.#build
    const found = new Set<string>()
    const { copies: target } = this.#options
    if (target === undefined || baked.size === 0 || !isPretty(await data.links())) return found
    this.#copies ??= this.#copiesByPage(target)
    const copies = await this.#copies
    const ids = await this.#build.pagesOn([...baked.keys()])
    const pages = new Map((await data.pagesById(ids)).map((page) => [page.id, page]))
    for (const [frame, header] of baked) {
      for (const id of await this.#build.pagesOn([frame])) {
        const page = pages.get(id)
        if (!page || !(await this.#isUnpublished(target, page, header, copies.get(id)))) continue
        found.add(frame)
        break
      }
    }
    return found
  }

  async #isUnpublished(
    target: CopyTarget,
    page: Page,
    header: CopyHeader,
    copy: SurveyedCopy | undefined,
  ): Promise<boolean> {
    const { data } = this.#build
    const url = await data.urlOf(page)
    const lang = page.lang ?? (await data.defaultLanguage())
    const isTrue =
      copy?.url === url && !findCopyProblem(copy, page, languageIn(header, lang)?.fingerprint)
    if (isTrue || target.locate(url) === undefined) return false
    return isPubliclyRoutable(this.#options, this.#build, page)
  }

  async #copiesByPage(target: CopyTarget): Promise<ReadonlyMap<number, SurveyedCopy>> {
    const { db, site } = this.#options
    const copies = await surveyCopies(db, site, target)
    return new Map(copies.map((copy) => [copy.page, copy]))
  }
}
