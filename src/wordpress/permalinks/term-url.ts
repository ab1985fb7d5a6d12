import { type LinkSettings, endAddress, isPretty } from './link-settings.ts'
import { switchLanguage } from './switch-language.ts'

/** A term that a link may point to. */
export type LinkedTerm = {
  /** `term_id`. */
  readonly id: number
  readonly taxonomy: string
  /** As stored, with `&` and `<` encoded. */
  readonly name: string
  readonly slug: string
  /** Id of the parent term; 0 at the top. */
  readonly parent: number
  /** The slugs of its ancestors and its own, joined by slashes. */
  readonly path: string
  /** Language code; null for none, and on sites without Polylang. */
  readonly lang: string | null
}

/**
 * The address of a term's archive (get_term_link, taxonomy.php), in its language. The rewrite rules of other taxonomies than categories
 * and tags are known to PHP alone: theirs is the plain one, from which WordPress redirects.
 */
export function termUrl(links: LinkSettings, term: LinkedTerm): string {
  const { list, settings } = links.languages
  const path = isPretty(links) ? prettyTermPath(links, term) : undefined
  const address =
    path === undefined
      ? `${links.home}/?${plainTermQuery(term)}`
      : endAddress(links.structure, `${links.home}/${path}`)
  const translated = list.length > 0 && settings.taxonomies.has(term.taxonomy)
  return translated && settings.forceLang !== 0
    ? switchLanguage(links, address, term.lang)
    : address
}

/** Behind the structure's front, but for a base of the site's own where the server rewrites (create_initial_taxonomies). */
function prettyTermPath(
  { structure, ...links }: LinkSettings,
  term: LinkedTerm,
): string | undefined {
  const before = (base: string): string =>
    base === '' || structure.root !== '' ? structure.front : ''
  const own = (base: string): string => base.replace(/^\/+/, '')
  if (term.taxonomy === 'category')
    return `${before(links.categoryBase)}${own(links.categoryBase) || 'category'}/${term.path}`
  if (term.taxonomy === 'post_tag')
    return `${before(links.tagBase)}${own(links.tagBase) || 'tag'}/${term.slug}`
  return undefined
}

function plainTermQuery({ taxonomy, id, slug }: LinkedTerm): string {
  if (taxonomy === 'category') return `cat=${id}`
  if (taxonomy === 'post_tag') return `tag=${slug}`
  return `taxonomy=${taxonomy}&term=${slug}`
}
