import type { Db } from '../db/database.ts'
import { sanitizeUrl } from '../wordpress/formatting/sanitize-url.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import type { ItemLink } from '../wordpress/nav-menus/new-item.ts'
import {
  findTermsByPath,
  findTermTranslations,
  readTerms,
} from '../wordpress/nav-menus/read-terms.ts'
import { SWITCHER_URL, type SwitcherFlag } from '../wordpress/nav-menus/switcher.ts'
import type { Site } from '../wordpress/network/site.ts'
import { findPostsByPath } from '../wordpress/pages/pages.ts'
import { type Post, readPosts } from '../wordpress/pages/posts.ts'
import type { LinkedTerm } from '../wordpress/permalinks/urls.ts'

/**
 * What an item links, by names that mean the same on another site: a post or a term by its path, an archive by its post type. Ids are
 * those of one site only, and a page's path may be digits, so that a text is always a path here.
 */
export type ObjectRef =
  | PostRef
  | TermRef
  | { readonly kind: 'archive'; readonly type: string }
  /** An address that is stored as it stands: a path is not completed with that of the site. */
  | { readonly kind: 'address'; readonly url: string }
  /** Polylang's language switcher, and those of its flags that are on. */
  | { readonly kind: 'switcher'; readonly flags: readonly SwitcherFlag[] }

/** A page, or a post of another type. */
export type PostRef = {
  readonly kind: 'post'
  readonly type: string
  /** The slugs of its ancestors and its own; percent-encoded or not. */
  readonly path: string
  /** Code of its language, where several bear the path. */
  readonly lang?: string
}

export type TermRef = {
  readonly kind: 'term'
  readonly taxonomy: string
  /** The slugs of its ancestors and its own; percent-encoded or not. */
  readonly path: string
  /** Code of its language, where several bear the path. */
  readonly lang?: string
}

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

/**
 * The post that each of these references names, in their order; in two statements at most.
 * @param into code of the language whose translations are meant; a post without a language is the same in all
 */
export async function resolvePostRefs(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly PostRef[],
  into: string | undefined,
): Promise<(Post | UnresolvedObject)[]> {
  const places = await findPostsByPath(db, site, languages, refs)
  const idIn = (post: Post): number =>
    into === undefined || post.lang === null ? post.id : (post.translations.get(into) ?? 0)
  const ids = places.flatMap(({ found }) => found.map(idIn))
  const read = into !== undefined && ids.some((id) => id > 0)
  const translations = read
    ? await readPosts(db, site, languages, { ids })
    : new Map<number, Post>()
  return refs.map((ref, index) => {
    const { found = [], namesakes = [] } = places[index] ?? {}
    return chooseObject({
      ref,
      found,
      translationOf: (post) => (idIn(post) === post.id ? post : translations.get(idIn(post))),
      targetLang: into,
      hints: [...found, ...namesakes].map(
        ({ path, lang }) => `"${path}"${lang ? ` (${lang})` : ''}`,
      ),
    })
  })
}

/**
 * The term that each of these references names, in their order; in three statements at most.
 * @param into code of the language whose translations are meant; a term without a language is the same in all
 */
export async function resolveTermRefs(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly TermRef[],
  into: string | undefined,
): Promise<(LinkedTerm | UnresolvedObject)[]> {
  const places = await findTermsByPath(db, site, languages, refs)
  const strange = places
    .flat()
    .filter(({ lang }) => into !== undefined && ![null, into].includes(lang))
  const strangeIds = strange.map(({ id }) => id)
  const translatedIds = await findTermTranslations(db, site, strangeIds, into ?? '')
  const translations = await readTerms(db, site, languages, { ids: [...translatedIds.values()] })
  return refs.map((ref, index) =>
    chooseObject({
      ref,
      found: places[index] ?? [],
      translationOf: (term) =>
        strange.includes(term)
          ? translations.find(
              ({ id, taxonomy }) => id === translatedIds.get(term.id) && taxonomy === term.taxonomy,
            )
          : term,
      targetLang: into,
      hints: [],
    }),
  )
}

/** Why a reference names nothing that can be linked. */
export type UnresolvedObject = {
  readonly reason: 'not_found' | 'ambiguous' | 'not_translated'
  readonly message: string
}

/** What bears the path of a reference. */
export type ObjectMatches<T> = {
  readonly ref: PostRef | TermRef
  readonly found: readonly T[]
  /** In the language that is asked for; undefined where it has no translation. */
  translationOf(found: T): T | undefined
  /** Code of that language. */
  readonly targetLang: string | undefined
  /** Paths that may have been meant. */
  readonly hints: readonly string[]
}

/** The one that a reference names. */
export function chooseObject<T extends { readonly id: number; readonly lang: string | null }>({
  ref,
  found,
  translationOf,
  targetLang: into,
  hints,
}: ObjectMatches<T>): T | UnresolvedObject {
  const named = found.filter(({ lang }) => ref.lang === undefined || lang === ref.lang)
  if (named.length === 0) {
    const hint = hints.length > 0 ? ` It has ${hints.slice(0, 3).join(', ')}.` : ''
    return { reason: 'not_found', message: `This site has no ${describeRef(ref)}.${hint}` }
  }
  const linked = new Map(
    named.flatMap((one) => translationOf(one) ?? []).map((one): [number, T] => [one.id, one]),
  )
  const [one] = linked.values()
  if (!one) {
    const message = `The ${describeRef(ref)} has no translation into "${into}".`
    return { reason: 'not_translated', message }
  }
  if (linked.size === 1) return one
  const langs = [...linked.values()].map(({ lang }) => lang ?? 'none').join(', ')
  return {
    reason: 'ambiguous',
    message: `This site has ${linked.size} times the ${describeRef(ref)} (languages: ${langs}). Say which by "lang".`,
  }
}

function describeRef(ref: PostRef | TermRef): string {
  const lang = ref.lang === undefined ? '' : ` in the language "${ref.lang}"`
  return `${ref.kind === 'post' ? ref.type : ref.taxonomy} "${ref.path}"${lang}`
}
