import type { Db } from '../../db/database.ts'
import { findSimilar } from '../../host/similar.ts'
import { sanitizeUrl } from '../../wordpress/formatting/sanitize-url.ts'
import { pagePathSlugs } from '../../wordpress/formatting/slugs.ts'
import type { Languages } from '../../wordpress/languages/languages.ts'
import type { ItemLink } from '../../wordpress/nav-menus/item-content.ts'
import {
  findTermsByPath,
  findTermTranslations,
  readTerms,
} from '../../wordpress/nav-menus/read-terms.ts'
import { linkedTerms } from '../../wordpress/nav-menus/set-up-item.ts'
import { SWITCHER_URL, type SwitcherFlag } from '../../wordpress/nav-menus/switcher.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { findPostsByPath, type PostMatches } from '../../wordpress/pages/pages.ts'
import { type Post, readPosts } from '../../wordpress/pages/posts.ts'
import { findPagesLike } from '../../wordpress/pages/search-pages.ts'

/**
 * A reference to the object that an item links. Those of menu files have the same meaning on another site: a post or a term by its path, an
 * archive by its post type. Requests name posts and terms by their ids.
 */
export type ObjectRef =
  | PostRef
  | TermRef
  | { readonly kind: 'post-id'; readonly id: number }
  | { readonly kind: 'term-id'; readonly taxonomy: string; readonly id: number }
  | { readonly kind: 'archive'; readonly type: string }
  /** A URL that is stored unchanged: a path is not prefixed with the site's address. */
  | { readonly kind: 'address'; readonly url: string }
  /** Polylang's language switcher, with the flags that are set. */
  | { readonly kind: 'switcher'; readonly flags: readonly SwitcherFlag[] }

/** A page, or a post of another type. */
type PostRef = {
  readonly kind: 'post'
  readonly type: string
  /** Slugs of its ancestors and its own; percent-encoded or not. */
  readonly path: string
  /** Code of its language, if several languages have the path. */
  readonly lang?: string
}

type TermRef = {
  readonly kind: 'term'
  readonly taxonomy: string
  /** Slugs of its ancestors and its own; percent-encoded or not. */
  readonly path: string
  /** Code of its language, if several languages have the path. */
  readonly lang?: string
}

/** The object that a reference names on a site, or the reason why it cannot be linked. */
export type ResolvedObject = ItemLink | UnresolvedObject | RejectedUrl

type RejectedUrl = { readonly reason: 'target_required'; readonly message: string }

/**
 * Resolves references on a site. The number of statements does not depend on the number of references.
 * @param targetLang code of the language whose translations are linked; objects without a language are linked as they are
 */
export async function resolveObjectRefs(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly ObjectRef[],
  targetLang?: string,
): Promise<Map<ObjectRef, ResolvedObject>> {
  const postRefs = refs.filter((ref) => ref.kind === 'post')
  const termRefs = refs.filter((ref) => ref.kind === 'term')
  return new Map([
    ...(await resolvePostRefs(db, site, languages, postRefs, targetLang)),
    ...(await resolveTermRefs(db, site, languages, termRefs, targetLang)),
    ...(await resolveIds(db, site, languages, refs)),
    ...refs.flatMap((ref): ResolvedRef[] => {
      const link = linkWithoutLookup(ref)
      return link ? [[ref, link]] : []
    }),
  ])
}

type ResolvedRef = readonly [ref: ObjectRef, object: ResolvedObject]

/** Resolves references by id, with at most two statements. */
async function resolveIds(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly ObjectRef[],
): Promise<ResolvedRef[]> {
  const idsOf = (wanted: ObjectRef['kind']): number[] =>
    refs.flatMap((ref) => (ref.kind === wanted && 'id' in ref ? ref.id : []))
  const [posts, terms] = await Promise.all([
    readPosts(db, site, languages, { ids: idsOf('post-id') }),
    readTerms(db, site, languages, { ids: idsOf('term-id') }).then(linkedTerms),
  ])
  return refs.flatMap((ref): ResolvedRef[] => {
    if (ref.kind === 'post-id') {
      const post = posts.get(ref.id)
      return [[ref, post ? { type: 'post_type', post } : unknownId('post', ref.id)]]
    }
    if (ref.kind !== 'term-id') return []
    const term = terms.get(`${ref.taxonomy} ${ref.id}`)
    return [[ref, term ? { type: 'taxonomy', term } : unknownId(ref.taxonomy, ref.id)]]
  })
}

const unknownId = (kind: string, id: number): UnresolvedObject => ({
  reason: 'not_found',
  message: `This site has no ${kind} ${id}.`,
})

/** Resolves references that need no database read; undefined for posts and terms. */
function linkWithoutLookup(ref: ObjectRef): ResolvedObject | undefined {
  if (ref.kind === 'archive') return { type: 'post_type_archive', postType: ref.type }
  if (ref.kind === 'switcher') return { type: 'custom', url: SWITCHER_URL, switcher: ref.flags }
  if (ref.kind !== 'address') return undefined
  const url = sanitizeUrl(ref.url)
  if (url !== '' || ref.url === '') return { type: 'custom', url }
  return { reason: 'target_required', message: 'WordPress rejects the protocol of this address.' }
}

/** Resolves post references, with at most two statements. For `targetLang` see `resolveObjectRefs`. */
async function resolvePostRefs(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly PostRef[],
  targetLang: string | undefined,
): Promise<ResolvedRef[]> {
  const matches = await findPostsByPath(db, site, languages, refs)
  const isUnknown = ({ found, namesakes }: PostMatches): boolean =>
    found.length + namesakes.length === 0
  const similar = await findSimilarPaths(
    db,
    site,
    languages,
    refs.filter((_, index) => isUnknown(matches[index] ?? NOTHING)),
  )
  const idIn = (post: Post): number =>
    targetLang === undefined || post.lang === null
      ? post.id
      : (post.translations.get(targetLang) ?? 0)
  const ids = matches.flatMap(({ found }) => found.map(idIn))
  const needsTranslations = targetLang !== undefined && ids.some((id) => id > 0)
  const translations = needsTranslations
    ? await readPosts(db, site, languages, { ids })
    : new Map<number, Post>()
  return refs.map((ref, index): ResolvedRef => {
    const { found, namesakes } = matches[index] ?? NOTHING
    const near = similar.get(ref)
    const post = chooseObject({
      ref,
      found,
      translationOf: (one) => (idIn(one) === one.id ? one : translations.get(idIn(one))),
      targetLang,
      hints: [...found, ...namesakes, ...(near ? [near] : [])].map(
        ({ path, lang }) => `"${path}"${lang ? ` (${lang})` : ''}`,
      ),
    })
    return [ref, 'reason' in post ? post : { type: 'post_type', post }]
  })
}

const NOTHING: PostMatches = { found: [], namesakes: [] }

/** References without a match for which a similar path is searched. */
const MAX_SEARCHED = 3

/** The pages whose paths are most similar to those of the first unknown references. */
async function findSimilarPaths(
  db: Db,
  site: Site,
  languages: Languages,
  unknown: readonly PostRef[],
): Promise<ReadonlyMap<PostRef, Post>> {
  const searched = unknown.filter(({ type }) => type === 'page').slice(0, MAX_SEARCHED)
  if (searched.length === 0) return new Map()
  const slugs = searched.map(({ path }) => pagePathSlugs(path).at(-1) ?? '')
  const ids = await findPagesLike(db, site, slugs)
  const posts = await readPosts(db, site, languages, { ids })
  const byPath = new Map(ids.flatMap((id) => posts.get(id) ?? []).map((page) => [page.path, page]))
  return new Map(
    searched.flatMap((ref): [PostRef, Post][] => {
      const page = byPath.get(findSimilar(pagePathSlugs(ref.path).join('/'), byPath.keys()) ?? '')
      return page ? [[ref, page]] : []
    }),
  )
}

/** Resolves term references, with at most three statements. For `targetLang` see `resolveObjectRefs`. */
async function resolveTermRefs(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly TermRef[],
  targetLang: string | undefined,
): Promise<ResolvedRef[]> {
  const matches = await findTermsByPath(db, site, languages, refs)
  const toTranslate = matches
    .flat()
    .filter(({ lang }) => targetLang !== undefined && ![null, targetLang].includes(lang))
  const sourceIds = toTranslate.map(({ id }) => id)
  const translatedIds = await findTermTranslations(db, site, sourceIds, targetLang ?? '')
  const ids = [...translatedIds.values()]
  const translations = linkedTerms(await readTerms(db, site, languages, { ids }))
  return refs.map((ref, index): ResolvedRef => {
    const term = chooseObject({
      ref,
      found: matches[index] ?? [],
      translationOf: (found) =>
        toTranslate.includes(found)
          ? translations.get(`${found.taxonomy} ${translatedIds.get(found.id)}`)
          : found,
      targetLang,
      hints: [],
    })
    return [ref, 'reason' in term ? term : { type: 'taxonomy', term }]
  })
}

/** The reason why a reference cannot be linked. */
export type UnresolvedObject = {
  readonly reason: 'not_found' | 'ambiguous' | 'not_translated'
  readonly message: string
}

/** The objects that have the path of a reference. */
type ObjectMatches<T> = {
  readonly ref: PostRef | TermRef
  readonly found: readonly T[]
  /** The translation of a found object into `targetLang`; undefined if there is none. */
  translationOf(found: T): T | undefined
  /** Code of the language to link; undefined links the objects as they are. */
  readonly targetLang: string | undefined
  /** Similar paths, for the message. */
  readonly hints: readonly string[]
}

/** The only object that a reference names. */
function chooseObject<T extends { readonly id: number; readonly lang: string | null }>({
  ref,
  found,
  translationOf,
  targetLang,
  hints,
}: ObjectMatches<T>): T | UnresolvedObject {
  const named = found.filter(({ lang }) => ref.lang === undefined || lang === ref.lang)
  if (named.length === 0) {
    const hint = hints.length > 0 ? ` Similar: ${hints.slice(0, 3).join(', ')}.` : ''
    return { reason: 'not_found', message: `This site has no ${describeRef(ref)}.${hint}` }
  }
  const linked = new Map(
    named
      .flatMap((match) => translationOf(match) ?? [])
      .map((linkedObject): [number, T] => [linkedObject.id, linkedObject]),
  )
  const [object] = linked.values()
  if (!object) {
    const message = `The ${describeRef(ref)} has no translation into "${targetLang}".`
    return { reason: 'not_translated', message }
  }
  if (linked.size === 1) return object
  const langs = [...linked.values()].map(({ lang }) => lang ?? 'none').join(', ')
  return {
    reason: 'ambiguous',
    message: `${linked.size} objects match the ${describeRef(ref)} (languages: ${langs}). Set "lang" to choose one.`,
  }
}

function describeRef(ref: PostRef | TermRef): string {
  const lang = ref.lang === undefined ? '' : ` in the language "${ref.lang}"`
  return `${ref.kind === 'post' ? ref.type : ref.taxonomy} "${ref.path}"${lang}`
}
