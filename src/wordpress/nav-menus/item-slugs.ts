import type { Db } from '../../db/database.ts'
import { numberedSlug } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'

/** Slugs that stand for feeds and embeds (wp_unique_post_slug, post.php). */
const RESERVED_SLUGS = ['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']

/** Gives out slugs (`post_name`) that no other item of the site bears. */
export class ItemSlugs {
  readonly #taken: Set<string>
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...RESERVED_SLUGS, ...taken])
  }

  /** The slug, with a number behind it where it is taken or reserved. */
  claim(slug: string): string {
    let unique = slug
    let number = this.#next.get(slug) ?? 2
    for (; this.#taken.has(unique); number += 1) unique = numberedSlug(slug, number)
    this.#next.set(slug, number)
    this.#taken.add(unique)
    return unique
  }
}

/** The slugs that the items of a site leave free, in one statement. */
export async function readItemSlugs(db: Db, site: Site): Promise<ItemSlugs> {
  const names: string[] = await db
    .sql(site.tables.posts)
    .where({ post_type: 'nav_menu_item' })
    .pluck('post_name')
  return new ItemSlugs(names)
}
