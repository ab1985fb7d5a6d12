import type { Post } from '../pages/post.ts'
import { homeUrl } from './home-url.ts'
import { type LinkSettings, endAddress, isPretty } from './link-settings.ts'
import { switchLanguage } from './switch-language.ts'

/**
 * The address of a page or another post (get_permalink, link-template.php), in its language. Posts that are not published have a plain
 * one, private ones too except for those who may read them. Where an address is known to PHP alone (other post types, attachments, permalinks by
 * category or author) it is the plain one, from which WordPress redirects.
 * @param readsPrivate the address is for an administrator and not for any visitor
 */
export function postUrl(links: LinkSettings, post: Post, readsPrivate = false): string {
  const front = post.lang === null ? undefined : links.front.translations.get(post.lang)
  if (front?.id === post.id) return homeUrl(links, post.lang)
  if (post.type === 'page' && links.front.id === post.id) return homeUrl(links, null)
  const shown = post.status === 'publish' || (post.status === 'private' && readsPrivate)
  const path = shown && isPretty(links) ? prettyPostPath(links, post) : undefined
  const address =
    path === undefined
      ? `${links.home}/?${plainPostQuery(post)}`
      : endAddress(links.structure, `${links.home}/${path}`)
  return hasLanguage(links, post) ? switchLanguage(links, address, post.lang) : address
}

function hasLanguage({ languages: { list, settings } }: LinkSettings, post: Post): boolean {
  return list.length > 0 && settings.forceLang !== 0 && settings.postTypes.has(post.type)
}

/** Pages ignore all of the structure but its root (get_page_permastruct, class-wp-rewrite.php). */
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
