import type { Db } from '../db/database.ts'
import { pagePathSlugs } from '../wordpress/formatting/slugs.ts'
import { displayIfReversible } from '../wordpress/formatting/plain-text.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { readTerms } from '../wordpress/nav-menus/read-terms.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readPosts } from '../wordpress/pages/posts.ts'
import { type ObjectRef, type ResolvedObject, resolveObjectRefs } from './object-refs.ts'

/**
 * The reference to what each of these items links; none for addresses, and for what is not found again by its path: what is gone, a
 * page that was never published, one of several with the same path and language.
 */
export async function findObjectRefs(
  db: Db,
  site: Site,
  languages: Languages,
  items: readonly MenuItem[],
): Promise<ReadonlyMap<MenuItem, ObjectRef>> {
  const idsOf = (type: MenuItem['type']): number[] =>
    items.filter((item) => item.type === type).map(({ objectId }) => objectId)
  const posts = await readPosts(db, site, languages, { ids: idsOf('post_type') })
  const terms = await readTerms(db, site, languages, { ids: idsOf('taxonomy') })
  const candidates = new Map(items.map((item) => [item, refsTo(item)]))
  const found = await resolveObjectRefs(db, site, languages, [...candidates.values()].flat())
  const refs = new Map<MenuItem, ObjectRef>()
  for (const [item, named] of candidates) {
    const ref = named.find((one) => isLinked(item, found.get(one)))
    if (ref) refs.set(item, ref)
  }
  return refs

  /** The references to try, the shorter one first. */
  function refsTo({ type, object, objectId }: MenuItem): ObjectRef[] {
    if (type === 'post_type_archive') return [{ kind: 'archive', type: object }]
    const post = type === 'post_type' ? posts.get(objectId) : undefined
    if (post) {
      const ref: ObjectRef = { kind: 'post', type: post.type, path: readablePath(post.path) }
      return post.lang === null ? [ref] : [ref, { ...ref, lang: post.lang }]
    }
    const term =
      type === 'taxonomy'
        ? terms.find(({ id, taxonomy }) => id === objectId && taxonomy === object)
        : undefined
    if (!term) return []
    const ref: ObjectRef = { kind: 'term', taxonomy: object, path: readablePath(term.path) }
    return term.lang === null ? [ref] : [ref, { ...ref, lang: term.lang }]
  }
}

function isLinked({ objectId }: MenuItem, found: ResolvedObject | undefined): boolean {
  if (found === undefined || 'reason' in found) return false
  if (found.type === 'post_type') return found.post.id === objectId
  return found.type === 'taxonomy' ? found.term.id === objectId : true
}

/** A path as people write it. */
function readablePath(path: string): string {
  return displayIfReversible(path, decodeURIComponent, (text) => pagePathSlugs(text).join('/'))
}
