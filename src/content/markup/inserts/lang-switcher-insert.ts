import { languageTag } from '../../../wordpress/languages/language-tag.ts'
import { escapeHtml, isSafeAddress } from '../evaluation/escape.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { PieceWriter, Scope } from '../evaluation/pieces.ts'
import type { Insert, Value } from '../evaluation/program.ts'
import type { LanguageValue } from '../evaluation/values.ts'
import { languageClasses, translationUrl } from '../menus/menu-entries.ts'
import { parsePath } from '../value-path.ts'
import type { InsertDefinition } from './insert-definition.ts'

/** `svc/lang-switcher`: links the translations of the page, or the home of the language (pll_the_languages with `hide_if_empty`). */
export const langSwitcherInsert: InsertDefinition = {
  kinds: ['lang-switcher'],
  parameters: [{ name: 'class', value: 'classes', description: 'Class of the list.' }],
  embeds: null,
  path: () => parsePath('languages'),
  missingInput: () => undefined,
  needs: ({ path }) => ({ path, page: ['translations'] }),
  shows: ['pages', 'languages', 'settings'],
  liveReason: () => 'svc/lang-switcher',
  print: printLangSwitcher,
}

function printLangSwitcher(
  insert: Insert,
  scope: Scope,
  evaluation: Evaluation,
  out: PieceWriter,
): void {
  const { page } = evaluation
  if (!page) {
    out.defer({ node: insert, scope, pieces: [] })
    return
  }
  if (!evaluation.budget.takeStep(evaluation.values.languages.length)) return
  const items = evaluation.values.languages
    .filter(({ empty }) => !empty)
    .map((language) => listItem(language, page))
  if (items.length === 0) return
  const { class: className } = insert.params
  const classes = typeof className === 'string' ? className : 'lang-switcher'
  out.html(`<ul class="${escapeHtml(classes)}">${items.join('')}</ul>`)
}

function listItem(language: LanguageValue, page: Readonly<Record<string, Value>>): string {
  const translation = translationUrl(page, language)
  const classes = languageClasses(language, { page, isTranslated: translation !== undefined })
  const url = translation ?? language.url
  const href = isSafeAddress(url) ? ` href="${escapeHtml(url)}"` : ''
  const tag = escapeHtml(languageTag(language.locale))
  const current = language.slug === page.lang ? ' aria-current="true"' : ''
  return (
    `<li class="${escapeHtml(classes.join(' '))}">` +
    `<a lang="${tag}" hreflang="${tag}"${href}${current}>` +
    `${escapeHtml(language.name)}</a></li>`
  )
}
