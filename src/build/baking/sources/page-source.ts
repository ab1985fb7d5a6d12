import type { Json } from '../../../content/markup/nodes.ts'
import { decodeName } from '../../../wordpress/formatting/plain-text.ts'
import type { Post } from '../../../wordpress/pages/posts.ts'
import type { LinkSettings } from '../../../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../../../wordpress/permalinks/urls.ts'

/** A row of `pages`. The title is text, not HTML. */
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

/** Removes the block editor's comments from stored content; the HTML of the blocks remains. */
export function withoutBlockComments(content: string): string {
  const parts: string[] = []
  let at = 0
  for (const { index } of content.matchAll(BLOCK_COMMENT)) {
    // The attributes of a block comment may contain the start of another comment.
    if (index < at) continue
    const end = content.indexOf(COMMENT_END, index)
    if (end < 0) break
    parts.push(content.slice(at, index))
    at = end + COMMENT_END.length
    if (content[at] === '\n') at += 1
  }
  parts.push(content.slice(at))
  return parts.join('').trim()
}
