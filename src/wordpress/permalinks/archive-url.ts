import { trimEnd } from '../formatting/plain-text.ts'
import { homeUrl } from './home-url.ts'
import type { LinkSettings } from './link-settings.ts'
import { postUrl } from './post-url.ts'
import { switchLanguage } from './switch-language.ts'

/**
 * The address of a post type's archive (get_post_type_archive_link, link-template.php): for posts their page, or the home without a
 * slash at its end. The addresses of other types are known to PHP alone: theirs is the plain one, from which WordPress redirects.
 * @param lang the language in which the link is shown, for an archive has none of its own; null outside of the front
 */
export function archiveUrl(links: LinkSettings, postType: string, lang: string | null): string {
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
