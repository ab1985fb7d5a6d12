import { escapeHtml, isSafeAddress } from '../escape.ts'
import { languageClasses, languageTag, translationUrl } from '../menus/menu-entries.ts'
import type { PieceWriter, Scope } from '../pieces.ts'
import type { Insert, Value } from '../program.ts'
import type { Run } from '../run.ts'
import type { LanguageValue } from '../values.ts'

/**
 * `svc/lang-switcher`: the site's languages that have content, each with the page's translation or else its home (pll_the_languages,
 * whose `hide_if_empty` is on).
 */
export function printLangSwitcher(insert: Insert, here: Scope, run: Run, out: PieceWriter): void {
  const { page } = run
  if (!page) {
    out.defer({ node: insert, scope: here, pieces: [] })
    return
  }
  if (!run.budget.takeStep(run.values.languages.length)) return
  const items = run.values.languages
    .filter(({ empty }) => !empty)
    .map((language) => listItem(language, page))
  if (items.length === 0) return
  const { class: className } = insert.params
  const classes = typeof className === 'string' ? className : 'lang-switcher'
  out.html(`<ul class="${escapeHtml(classes)}">${items.join('')}</ul>`)
}

function listItem(language: LanguageValue, page: Readonly<Record<string, Value>>): string {
  const translation = translationUrl(page, language.slug)
  const classes = languageClasses(language, { page, isTranslated: translation !== undefined })
  const url = translation ?? language.url
  const href = isSafeAddress(url) ? ` href="${escapeHtml(url)}"` : ''
  const tag = escapeHtml(languageTag(language.locale))
  const here = language.slug === page.lang ? ' aria-current="true"' : ''
  return (
    `<li class="${escapeHtml(classes.join(' '))}">` +
    `<a lang="${tag}" hreflang="${tag}"${href}${here}>` +
    `${escapeHtml(language.name)}</a></li>`
  )
}
