import type { Languages } from '../languages/language.ts'
import type { Post } from '../pages/post.ts'
import type { PermalinkStructure } from './permalink-structure.ts'

/** All that the addresses of a site depend on, read once: with it they are made without a statement. */
export type LinkSettings = {
  /** The option `home`, without a slash at its end. */
  readonly home: string
  readonly structure: PermalinkStructure
  /** Options `category_base` and `tag_base`; '' for WordPress's own words. */
  readonly categoryBase: string
  readonly tagBase: string
  readonly languages: Languages
  /** The static front page; none where the front shows posts. */
  readonly front: StaticPage
  /** The page that lists the posts, where the front is a page. */
  readonly posts: StaticPage
}

/** A page that an option names, and its counterparts in the languages. */
export type StaticPage = {
  /** As the option has it; 0 for none. */
  readonly id: number
  readonly page: Post | undefined
  /** Language code to the page in that language (PLL static-pages.php, get_translation). */
  readonly translations: ReadonlyMap<string, Post>
}

/** Whether addresses are `/about/` and not `/?page_id=7`. */
export function isPretty({ structure }: LinkSettings): boolean {
  return structure.text !== ''
}
