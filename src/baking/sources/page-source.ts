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

const BLOCK_COMMENT = /<!--\s+\/?wp:/g
const COMMENT_END = '-->'

/** Stored content without the block editor's comments: what is left is the HTML that the blocks hold. */
export function withoutBlockComments(content: string): string {
  const kept: string[] = []
  let at = 0
  for (const { index } of content.matchAll(BLOCK_COMMENT)) {
    // A comment's own attributes may look like the start of another.
    if (index < at) continue
    const end = content.indexOf(COMMENT_END, index)
    if (end < 0) break
    kept.push(content.slice(at, index))
    at = end + COMMENT_END.length
    if (content[at] === '\n') at += 1
  }
  kept.push(content.slice(at))
  return kept.join('').trim()
}
