import { trimEnd } from '../formatting/plain-text.ts'
import type { Post } from '../pages/posts.ts'
import { endAddress, isPretty, type LinkSettings } from './link-settings.ts'
import { addLanguage, isHiddenLanguage, linkModel, switchLanguage } from './switch-language.ts'

/**
 * The home URL of the site, or of one of its languages: the front page's own URL in that language, unless languages have their own hosts,
 * there is no front page, or Polylang is set to redirect (PLL links-model.php, set_language_home_urls).
 * @param lang code of one of the site's languages, or null
 */
export function homeUrl(links: LinkSettings, lang: string | null): string {
  if (lang === null) return `${links.home}/`
  const { redirectLang, forceLang } = links.languages.settings
  const model = linkModel(links)
  const page = links.front.translations.get(lang)
  if (!page || redirectLang || model === 'subdomain' || model === 'domain')
    return bareHomeUrl(links, lang)
  if (isHiddenLanguage(links, lang)) return `${links.home}/`
  const address = isPretty(links)
    ? endAddress(links.structure, `${links.home}/${links.structure.root}${page.path}`)
    : `${links.home}/?page_id=${page.id}`
  return forceLang === 0 ? address : addLanguage(links, address, lang)
}

/** The home URL in a language, without considering the language's front page (home_url of each link model). */
function bareHomeUrl(links: LinkSettings, lang: string): string {
  const model = linkModel(links)
  if (model === 'domain') {
    const domain = links.languages.settings.domains.get(lang) || links.home
    return `${trimEnd(domain, '/')}/`
  }
  if (isHiddenLanguage(links, lang)) return `${links.home}/`
  const root = model === 'directory' ? links.structure.root : ''
  return addLanguage(links, `${links.home}/${root}`, lang)
}

/**
 * The URL of a page or another post (get_permalink, link-template.php), in its language. Unpublished posts have a plain URL; private ones
 * too. Where only PHP code knows the permalink (other post types, attachments, permalinks by category
 * or author) the URL is the plain one, from which WordPress redirects.
 */
export function postUrl(links: LinkSettings, post: Post): string {
  const front = post.lang === null ? undefined : links.front.translations.get(post.lang)
  if (front?.id === post.id) return homeUrl(links, post.lang)
  if (post.type === 'page' && links.front.id === post.id) return homeUrl(links, null)
  const isPublished = post.status === 'publish'
  const path = isPublished && isPretty(links) ? prettyPostPath(links, post) : undefined
  const address =
    path === undefined
      ? `${links.home}/?${plainPostQuery(post)}`
      : endAddress(links.structure, `${links.home}/${path}`)
  return hasLanguage(links, post) ? switchLanguage(links, address, post.lang) : address
}

function hasLanguage({ languages: { list, settings } }: LinkSettings, post: Post): boolean {
  return list.length > 0 && settings.forceLang !== 0 && settings.postTypes.has(post.type)
}

/** Pages ignore the structure except for its root (get_page_permastruct, class-wp-rewrite.php). */
function prettyPostPath({ structure }: LinkSettings, post: Post): string | undefined {
  if (post.type === 'page') return `${structure.root}${post.path}`
  if (post.type !== 'post') return undefined
  const [year, monthnum, day, hour, minute, second] = post.date.split(/[-: ]/)
  const { slug, id } = post
  const tags = {
    year,
    monthnum,
    day,
    hour,
    minute,
    second,
    postname: slug,
    pagename: slug,
    post_id: id,
  }
  const values = new Map(Object.entries(tags))
  const path = structure.text.replace(/%([a-z_]+)%/g, (tag, name) => `${values.get(name) ?? tag}`)
  return /%[a-z_]+%/.test(path) ? undefined : path.replace(/^\/+/, '')
}

function plainPostQuery({ type, id }: Post): string {
  if (type === 'page') return `page_id=${id}`
  if (type === 'post') return `p=${id}`
  return type === 'attachment' ? `attachment_id=${id}` : `post_type=${type}&p=${id}`
}

/** A term that a link can refer to. */
export type LinkedTerm = {
  /** `term_id`. */
  readonly id: number
  readonly taxonomy: string
  /** As stored, with `&` and `<` encoded. */
  readonly name: string
  readonly slug: string
  /** Id of the parent term; 0 at the top. */
  readonly parent: number
  /** The slugs of its ancestors and its own, joined with slashes. */
  readonly path: string
  /** Language code; null for none, and on sites without Polylang. */
  readonly lang: string | null
}

/**
 * The URL of a term's archive (get_term_link, taxonomy.php), in its language. Only PHP code knows the rewrite rules of taxonomies other
 * than categories and tags: their URL is the plain one, from which WordPress redirects.
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

/** After the structure's front, unless the site has a base of its own and the server rewrites URLs (create_initial_taxonomies). */
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

/**
 * The URL of a post type's archive (get_post_type_archive_link, link-template.php): for posts their page, or the home without a slash at
 * its end. Only PHP code knows the URLs of other types: theirs is the plain one, from which WordPress redirects.
 * @param lang the language in which the link is shown, because an archive has none of its own; null outside of the front end
 */
export function archiveUrl(links: LinkSettings, postType: string, lang: string | null): string {
  // WordPress has no archives of these, which only programs can link.
  if (postType === 'page' || postType === 'attachment') return ''
  if (postType !== 'post') {
    const address = `${links.home}/?post_type=${postType}`
    const { list, settings } = links.languages
    return list.length > 0 && settings.postTypes.has(postType)
      ? switchLanguage(links, address, lang)
      : address
  }
  const translated = lang === null ? undefined : links.posts.translations.get(lang)
  const page = translated ?? links.posts.page
  return page ? postUrl(links, page) : trimEnd(homeUrl(links, lang), '/')
}
