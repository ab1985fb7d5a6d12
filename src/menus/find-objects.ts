import type { Db } from '../db/database.ts'
import { sanitizeUrl } from '../wordpress/formatting/sanitize-url.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import type { ItemLink } from '../wordpress/nav-menus/new-item.ts'
import { SWITCHER_URL } from '../wordpress/nav-menus/switcher.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { UnresolvedObject } from './choose-object.ts'
import { resolvePostRefs } from './find-linked-posts.ts'
import { resolveTermRefs } from './find-linked-terms.ts'
import type { ObjectRef } from './object-ref.ts'

/** What a reference names on a site, or why it names nothing that can be linked. */
export type ResolvedObject = ItemLink | UnresolvedObject | RefusedUrl

type RefusedUrl = { readonly reason: 'target_required'; readonly message: string }

/**
 * What each of these references names on this site, in as many statements whatever their number.
 * @param into code of a language in which what they name is to be linked; what has no language is the same in all
 */
export async function resolveObjectRefs(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly ObjectRef[],
  into?: string,
): Promise<Map<ObjectRef, ResolvedObject>> {
  const postRefs = refs.filter((ref) => ref.kind === 'post')
  const termRefs = refs.filter((ref) => ref.kind === 'term')
  const posts = await resolvePostRefs(db, site, languages, postRefs, into)
  const terms = await resolveTermRefs(db, site, languages, termRefs, into)
  const found = new Map<ObjectRef, ResolvedObject>()
  for (const [index, post] of posts.entries())
    setFound(postRefs[index], 'reason' in post ? post : { type: 'post_type', post })
  for (const [index, term] of terms.entries())
    setFound(termRefs[index], 'reason' in term ? term : { type: 'taxonomy', term })
  for (const ref of refs) setFound(ref, found.get(ref) ?? linkWithoutLookup(ref))
  return found

  function setFound(ref: ObjectRef | undefined, object: ResolvedObject | undefined): void {
    if (ref && object) found.set(ref, object)
  }
}

/** What a reference names without a look into the database; undefined for posts and terms. */
function linkWithoutLookup(ref: ObjectRef): ResolvedObject | undefined {
  if (ref.kind === 'archive') return { type: 'post_type_archive', postType: ref.type }
  if (ref.kind === 'switcher') return { type: 'custom', url: SWITCHER_URL, switcher: ref.flags }
  if (ref.kind !== 'address') return undefined
  const url = sanitizeUrl(ref.url)
  if (url !== '' || ref.url === '') return { type: 'custom', url }
  return { reason: 'target_required', message: 'WordPress refuses the protocol of this address.' }
}
