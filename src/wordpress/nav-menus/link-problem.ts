import { decodeName } from '../formatting/plain-text.ts'
import type { Post } from '../pages/posts.ts'
import type { MenuItem } from './menu-item.ts'

/** Why visitors cannot follow the link of a menu item. */
export type LinkProblem = {
  /** What the item links is gone, its target is not public, or the item itself is a draft. */
  readonly kind: 'target_missing' | 'target_not_public' | 'not_published'
  /** What the target or the item is, as the end of a sentence: `links to page "Jobs" (13), which is in the trash`. */
  readonly reason: string
}

/** What the items of a menu link, as far as it exists. */
export type LinkTargets = {
  readonly posts: ReadonlyMap<number, Pick<Post, 'type' | 'status' | 'protected' | 'title'>>
  /** Keys are the taxonomy and the id of a term, separated by a space. */
  readonly terms: { has(key: string): boolean }
}

/**
 * Whether visitors can follow the link of an item; undefined if they can, as far as the site itself knows the target. WordPress hides items
 * whose target is gone, and drafts. It prints links to drafts and private pages, which answer 404 (wp_setup_nav_menu_item, nav-menu.php). An
 * attachment inherits its status, and is as public as what it is attached to.
 */
export function linkProblem(
  item: Pick<MenuItem, 'status' | 'object' | 'objectId'> & { readonly type: string },
  { posts, terms }: LinkTargets,
): LinkProblem | undefined {
  const { type, object, objectId, status } = item
  const post = type === 'post_type' ? posts.get(objectId) : undefined
  const name = post?.title ? `"${decodeName(post.title)}" (${objectId})` : objectId
  const missing = (state: string): LinkProblem => ({
    kind: 'target_missing',
    reason: `links to ${object || 'post'} ${name}, which ${state}`,
  })
  if (type === 'post_type' && !post) return missing('does not exist')
  if (type === 'taxonomy' && !terms.has(`${object} ${objectId}`)) return missing('does not exist')
  if (post?.status === 'trash') return missing('is in the trash')
  const state = post && hiddenState(post)
  if (post && state)
    return {
      kind: 'target_not_public',
      reason: `links to ${post.type} ${name}, which ${state}`,
    }
  if (status !== 'publish') return { kind: 'not_published', reason: `has the status "${status}"` }
  return undefined
}

function hiddenState({ status, protected: hasPassword }: Pick<Post, 'status' | 'protected'>) {
  if (hasPassword) return 'has a password'
  return status === 'publish' || status === 'inherit' ? undefined : `has the status "${status}"`
}
