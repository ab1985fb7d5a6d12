/** A page, or a post of another type that a link may point to, without its content. */
export type Post = {
  readonly id: number
  /** `post_type`. */
  readonly type: string
  /** `post_status`: `publish`, `draft`, `private`, `future`, `pending`, `trash`, or a plugin's own. */
  readonly status: string
  /** As stored: without WordPress's typography, entities not decoded. */
  readonly title: string
  /** `post_name`: percent-encoded in lower case where it isn't Latin; '' until a draft is first published. */
  readonly slug: string
  /** Id of the parent page; 0 at the top. */
  readonly parent: number
  /** The slugs of its ancestors and its own, joined by slashes (get_page_uri, post.php). */
  readonly path: string
  /** Behind a password. */
  readonly protected: boolean
  /** Language code; null for none, and on sites without Polylang. */
  readonly lang: string | null
  /**
   * Language code to page id, its own among them, first (PLL translated-object.php, get_translations). Empty for a page without a language.
   * The ids may be of pages that are in the trash or gone.
   */
  readonly translations: ReadonlyMap<string, number>
  /** Site-local time, `YYYY-MM-DD HH:MM:SS`. */
  readonly date: string
  /** Zero for what was never published. */
  readonly dateGmt: string
  readonly modified: string
  readonly modifiedGmt: string
}

/** A post of type `page`. */
export type Page = Post & { readonly type: 'page' }

/** Narrows a post to a page. */
export function isPage(post: Post): post is Page {
  return post.type === 'page'
}
