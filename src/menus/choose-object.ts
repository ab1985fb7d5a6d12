import type { PostRef, TermRef } from './object-ref.ts'

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
