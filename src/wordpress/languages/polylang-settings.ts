import type { PhpValue } from '#php-serialized'
import { arrayIn, type StoredArray } from '../stored-value.ts'

/** The parts of Polylang's option `polylang` that affect languages and URLs (PLL Options/). */
export type PolylangSettings = {
  /** What determines a URL's language: the content (0), a directory (1), a subdomain (2), a domain (3). */
  readonly forceLang: 0 | 1 | 2 | 3
  /** URLs in the default language do not contain it. */
  readonly hideDefault: boolean
  /** A language's home is `/fr/` instead of the URL of its front page. */
  readonly redirectLang: boolean
  /** The directory is `fr/` instead of `language/fr/`. */
  readonly rewrite: boolean
  /** Language code to the URL of its domain, which may be empty. */
  readonly domains: ReadonlyMap<string, string>
  /** As stored; '' until Polylang has set one. */
  readonly defaultLang: string
  /** The version that has last run is 3.9 or later, which prints all switchers by their layout. */
  readonly printsLayouts: boolean
  /** The home page leads to the language that a visitor's browser, or a cookie, prefers. */
  readonly browser: boolean
  /** The version of Polylang that has stored the settings; '' if it is unknown. */
  readonly version: string
  /** Post types whose posts have a language. */
  readonly postTypes: ReadonlySet<string>
  /** Taxonomies whose terms have a language. */
  readonly taxonomies: ReadonlySet<string>
}

/** Maximum number of language domains that are read, because every address is compared with each. */
export const MAX_DOMAINS = 200

/** Reads the settings from the decoded option, with Polylang's defaults for missing ones. */
export function polylangSettings(option: StoredArray): PolylangSettings {
  const flag = (key: string, initial: boolean): boolean => isTruthy(option.get(key) ?? initial)
  const texts = (key: string): string[] => [...arrayIn(option.get(key)).values()].map(String)
  return {
    forceLang: forceLangIn(option.get('force_lang')),
    hideDefault: flag('hide_default', true),
    redirectLang: flag('redirect_lang', false),
    rewrite: flag('rewrite', true),
    domains: new Map(
      [...arrayIn(option.get('domains'))]
        .slice(0, MAX_DOMAINS)
        .map(([k, v]) => [String(k), String(v)]),
    ),
    defaultLang: String(option.get('default_lang') ?? ''),
    printsLayouts: isAtLeast39(String(option.get('version') ?? '')),
    browser: flag('browser', false),
    version: String(option.get('version') ?? ''),
    postTypes: new Set([
      'post',
      'page',
      'wp_block',
      ...texts('post_types'),
      ...(flag('media_support', false) ? ['attachment'] : []),
    ]),
    taxonomies: new Set(['category', 'post_tag', ...texts('taxonomies')]),
  }
}

/** `3.9-dev` is 3.9 too. */
function isAtLeast39(version: string): boolean {
  const [major = 0, minor = 0] = version.split(/[.-]/, 2).map(Number)
  return major > 3 || (major === 3 && minor >= 9)
}

/** Old versions stored strings and integers for what are booleans and integers now. */
export function isTruthy(value: PhpValue): boolean {
  return Boolean(value) && value !== '0'
}

function forceLangIn(value: PhpValue | undefined): 0 | 1 | 2 | 3 {
  const stored = Number(value ?? 1)
  return stored === 0 || stored === 2 || stored === 3 ? stored : 1
}
