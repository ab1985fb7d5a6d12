import { resolve } from 'node:path'
import { type CopyHeader, languageIn } from '../baking/baked-copy.ts'
import { copyFolderForUrl } from '../publishing/static-path.ts'
import { type SurveyedCopy, findCopyProblem, surveyCopies } from '../publishing/survey-copies.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { isPretty } from '../wordpress/permalinks/link-settings.ts'
import { isPubliclyRoutable } from './page-publication.ts'
import type { PublishOptions } from './publish-pages.ts'
import type { SiteBuild } from './site-build.ts'

/** Tells which frames have pages that are still to be published. */
export class UnpublishedFrames {
  readonly #options: PublishOptions
  readonly #build: SiteBuild
  #copies: Promise<ReadonlyMap<number, SurveyedCopy>> | undefined

  constructor(options: PublishOptions, build: SiteBuild) {
    this.#options = options
    this.#build = build
  }

  /**
   * Those of some frames on which a page stands that should have a static copy and has none, or one that shows something else. What lies on
   * disk is looked at once, when this is first asked.
   * @param baked headers of their baked copies, which are true, by id
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
