import { escapeHtml } from '../escape.ts'
import type { PieceWriter } from '../piece-writer.ts'
import type { Surroundings } from '../pieces.ts'
import type { Insert, Value } from '../program.ts'
import type { Run } from '../run.ts'

type Language = Readonly<Record<string, Value>>

/** `svc/lang-switcher`: the site's languages, each with the page's translation or else its home (pll_the_languages). */
export function printLangSwitcher(
  insert: Insert,
  here: Surroundings,
  run: Run,
  out: PieceWriter,
): void {
  if (!run.page) {
    out.live({ live: 'insert', insert, surroundings: here })
    return
  }
  const translations = (run.page.translations ?? {}) as Language
  const items = (run.values.languages as readonly Language[]).map((language) => {
    const slug = String(language.slug)
    const translation = Object.hasOwn(translations, slug) ? translations[slug] : undefined
    return listItem(language, String(translation ?? language.url), slug === run.values.lang)
  })
  if (items.length === 0) return
  const className = String(insert.params.class ?? 'lang-switcher')
  out.html(`<ul class="${escapeHtml(className)}">${items.join('')}</ul>`)
}

function listItem(language: Language, url: string, current: boolean): string {
  const slug = String(language.slug)
  const classes = ['lang-item', `lang-item-${slug}`, ...(current ? ['current-lang'] : [])]
  const tag = String(language.locale).replaceAll('_', '-')
  const here = current ? ' aria-current="true"' : ''
  return (
    `<li class="${escapeHtml(classes.join(' '))}">` +
    `<a lang="${escapeHtml(tag)}" hreflang="${escapeHtml(tag)}" href="${escapeHtml(url)}"${here}>` +
    `${escapeHtml(String(language.name))}</a></li>`
  )
}
