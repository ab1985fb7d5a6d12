import type { PolylangSettings } from './polylang-settings.ts'

/** A language of a site, as Polylang keeps it in terms. */
export type Language = {
  /** `term_id`. */
  readonly id: number
  /** The code that stands in addresses and keys Polylang's maps: `fr`, `pt-br`. */
  readonly slug: string
  /** WordPress's locale: `fr_FR`. */
  readonly locale: string
  /** As stored: a term's name, with `&` and `<` encoded. */
  readonly name: string
  /** Written from right to left. */
  readonly rtl: boolean
  /** Shown to visitors; Polylang Pro can take a language off. */
  readonly active: boolean
  /** It has published posts or pages, as WordPress counts them: Polylang's switchers show no other language. */
  readonly hasContent: boolean
}

/** What a site knows of languages. Without Polylang, and while it has no language, the list is empty. */
export type Languages = {
  /** Polylang runs on the site. Its settings and terms outlive that, so they don't prove it. */
  readonly active: boolean
  /** In Polylang's order. */
  readonly list: readonly Language[]
  /** Slug of the default language; null where there is none. */
  readonly default: string | null
  readonly settings: PolylangSettings
}

/** The language with this code. */
export function findLanguage(languages: Languages, slug: string | null): Language | undefined {
  return languages.list.find((language) => language.slug === slug)
}
