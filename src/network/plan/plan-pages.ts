import { PAGE_META_KEY } from '../../content/frames/option-names.ts'
import type { Db } from '../../db/database.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { findPostsByPath } from '../../wordpress/pages/pages.ts'
import { type Post, readPosts } from '../../wordpress/pages/posts.ts'
import { type LinkSettings, readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { readPostMeta, readPostsMeta } from '../../wordpress/postmeta.ts'
import type { DesiredPage, DesiredSite } from '../description/desired-site.ts'
import type { PlannedFrames } from './plan-frames.ts'
import { assignmentStep, type PlanProblem, type Step } from './site-plan.ts'

/** A page to assign, or to take off its frame. */
type PageWrite = {
  readonly pageId: number
  /** What is stored: the id of a frame that may be gone. */
  readonly before: string | undefined
  /** Slug of the frame after the plan; null for none. */
  readonly frame: string | null
}

export type PlannedPageFrames = {
  readonly writes: readonly PageWrite[]
  readonly steps: readonly Step[]
  readonly problems: readonly PlanProblem[]
}

const NOTHING: PlannedPageFrames = { writes: [], steps: [], problems: [] }

/**
 * Compares the frames of pages with the desired ones, after what is planned for the frames themselves.
 * @param known the link settings of the site, if they are read already
 */
export async function planPages(
  db: Db,
  site: Site,
  { pages, manages }: Pick<DesiredSite, 'pages' | 'manages'>,
  frames: PlannedFrames,
  known: LinkSettings | undefined,
): Promise<PlannedPageFrames> {
  const deleted = new Set(frames.deletions.map(({ id }) => id))
  if (pages.length === 0 && manages === 'named' && deleted.size === 0) return NOTHING
  const links = known ?? (await readLinkSettings(db, site))
  const idOf = frameIdsAfter(frames)
  const slugs = new Map(frames.registry.all().map(({ id, slug }) => [id, slug]))
  const { found, problems } = await findDescribedPages(db, site, links, pages)
  const current =
    manages === 'all'
      ? new Map<number, string>()
      : await readPostsMeta(db, site, [...found.keys()], PAGE_META_KEY)
  const frameIds = manages === 'all' ? undefined : [...deleted]
  const assigned =
    frameIds?.length === 0 ? [] : await readPostMeta(db, site, PAGE_META_KEY, frameIds)
  for (const { postId, value } of assigned) current.set(postId, value)
  const writes: PageWrite[] = []
  const steps: Step[] = []
  const add = (pageId: number, name: string, frame: string | null): void => {
    const before = current.get(pageId)
    const from = before === undefined ? undefined : (slugs.get(before) ?? before)
    writes.push({ pageId, before, frame })
    const page = { kind: 'assignment', name, ref: String(pageId) } as const
    steps.push(assignmentStep(page, from, frame ?? undefined))
  }
  for (const [pageId, page] of found) {
    const name = nameOfPage(page)
    if (page.frame !== null && !idOf.has(page.frame)) {
      const message = `The frame "${page.frame}" is neither described nor on this site.`
      problems.push({ kind: 'assignment', name, reason: 'frame_missing', message })
      continue
    }
    const wanted = page.frame === null ? undefined : idOf.get(page.frame)
    const isNew = page.frame !== null && wanted === undefined
    if (isNew || current.get(pageId) !== wanted) add(pageId, name, page.frame)
  }
  // Pages lose a frame that is deleted.
  const others = assigned.flatMap(({ postId, value }) =>
    !found.has(postId) && (manages === 'all' || deleted.has(value)) ? [postId] : [],
  )
  if (others.length > 0) {
    const posts = await readPosts(db, site, links.languages, { ids: others })
    for (const id of others) add(id, nameOfPost(id, posts.get(id)), null)
  }
  return { writes, steps, problems }
}

/** The id of each frame after the plan, by slug; undefined for a new one. */
function frameIdsAfter({
  registry,
  writes,
  deletions,
}: PlannedFrames): ReadonlyMap<string, string | undefined> {
  const ids = new Map<string, string | undefined>(registry.all().map(({ id, slug }) => [slug, id]))
  for (const { slug } of deletions) ids.delete(slug)
  for (const { current } of writes) if (current) ids.delete(current.slug)
  for (const { current, slug } of writes) ids.set(slug, current?.id)
  return ids
}

const nameOfPage = ({ path, lang }: DesiredPage): string => nameIn(path, lang)

const nameOfPost = (id: number, post: Post | undefined): string =>
  post?.path ? nameIn(post.path, post.lang ?? undefined) : `page ${id}`

const nameIn = (path: string, lang: string | undefined): string =>
  `/${path}${lang === undefined ? '' : ` (${lang})`}`

/** The described pages by id. */
async function findDescribedPages(
  db: Db,
  site: Site,
  links: LinkSettings,
  pages: readonly DesiredPage[],
) {
  const paths = pages.map(({ path }) => ({ type: 'page', path }))
  const matches = await findPostsByPath(db, site, links.languages, paths)
  const found = new Map<number, DesiredPage>()
  const problems: PlanProblem[] = []
  for (const [index, page] of pages.entries()) {
    const name = nameOfPage(page)
    const refuse = (reason: string, message: string): void =>
      void problems.push({ kind: 'assignment', name, reason, message })
    const posts = page.path === '' ? frontPages(links, page.lang) : (matches[index]?.found ?? [])
    const named = page.lang === undefined ? posts : posts.filter(({ lang }) => lang === page.lang)
    const [post, ...more] = named
    const other = post && found.get(post.id)
    if (!post) refuse('page_not_found', missing(page))
    else if (more.length > 0)
      refuse('ambiguous_page', `${named.length} pages have this path. Name one by its language.`)
    else if (other && other.frame !== page.frame)
      refuse('page_named_twice', `This is the page ${nameOfPage(other)}, which gets another frame.`)
    else found.set(post.id, page)
  }
  return { found, problems }
}

function frontPages({ front }: LinkSettings, lang: string | undefined): readonly Post[] {
  const page = lang === undefined ? front.page : (front.translations.get(lang) ?? front.page)
  return page ? [page] : []
}

const ELSEWHERE = 'or describe the page in a bundle for the sites that have it.'

function missing({ path, lang }: DesiredPage): string {
  const language = lang === undefined ? '' : ` in the language "${lang}"`
  return path === ''
    ? `This site has no static front page${language}. Choose one in wp-admin, ${ELSEWHERE}`
    : `This site has no page at "${path}"${language}. Create it, ${ELSEWHERE}`
}
