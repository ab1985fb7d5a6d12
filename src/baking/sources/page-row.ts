import type { Json } from '../../markup/nodes.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import type { Post } from '../../wordpress/pages/posts.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../../wordpress/permalinks/urls.ts'

/** A page as a row of `pages`: its title as text, not as HTML. */
export function pageRow(links: LinkSettings, page: Post): Record<string, Json> {
  return {
    id: page.id,
    title: decodeName(page.title),
    url: postUrl(links, page),
    slug: page.slug,
    path: page.path,
    lang: page.lang,
    parent: page.parent,
    date: page.date,
    modified: page.modified,
  }
}
