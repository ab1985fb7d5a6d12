import type { Db } from '../../db/database.ts'
import { pagePathSlugs } from '../formatting/slugs.ts'
import type { Languages } from '../languages/language.ts'
import type { Site } from '../network/site.ts'
import { answersToSlug } from './find-pages.ts'
import { type Post, readPosts } from './posts.ts'

/** Where a post stands: its type, and its full path, percent-encoded or not (get_page_by_path, post.php). */
export type PostPath = { readonly type: string; readonly path: string }

export type PostMatches = {
  /** Mostly one: drafts are not kept apart, nor are languages by Polylang Pro. */
  readonly found: readonly Post[]
  /** Those of the type that bear the slug elsewhere, for whoever looks for one. */
  readonly namesakes: readonly Post[]
}

/** The posts at each of these places, in their order, in one statement. Digits are a slug here, never an id. */
export async function findPostsByPath(
  db: Db,
  site: Site,
  languages: Languages,
  places: readonly PostPath[],
): Promise<PostMatches[]> {
  const asked = places.map(({ type, path }) => {
    const slugs = pagePathSlugs(path)
    return { type, path: slugs.join('/'), slug: slugs.at(-1) ?? '' }
  })
  const slugs = [...new Set(asked.map(({ slug }) => slug).filter((slug) => slug !== ''))]
  const namesakes = new Map<string, Post[]>()
  for (const post of (await readPosts(db, site, languages, { slugs })).values()) {
    if (!answersToSlug(post)) continue
    const key = typeAndSlug(post)
    const others = namesakes.get(key)
    if (others) others.push(post)
    else namesakes.set(key, [post])
  }
  return asked.map((place) => {
    const posts = namesakes.get(typeAndSlug(place)) ?? []
    return {
      found: posts.filter((post) => post.path === place.path),
      namesakes: posts.filter((post) => post.path !== place.path),
    }
  })
}

function typeAndSlug({ type, slug }: Pick<Post, 'type' | 'slug'>): string {
  return `${type} ${slug}`
}
