import type { Db } from '../db/database.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import type { Site } from '../wordpress/network/site.ts'
import { findPostsByPath } from '../wordpress/pages/pages.ts'
import { type Post, readPosts } from '../wordpress/pages/posts.ts'
import { type UnresolvedObject, chooseObject } from './choose-object.ts'
import type { PostRef } from './object-ref.ts'

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
