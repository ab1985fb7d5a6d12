import type { PhpValue } from '../serialized/php-value.ts'
import { arrayIn, type StoredArray } from '../serialized/stored-value.ts'

/** Polylang's option `polylang`, as far as it shapes languages and addresses (PLL Options/). */
export type PolylangSettings = {
  /** What tells an address's language: the content (0), a directory (1), a subdomain (2), a domain (3). */
  readonly forceLang: 0 | 1 | 2 | 3
  /** Addresses in the default language bear no mark. */
  readonly hideDefault: boolean
  /** A language's home is `/fr/` and not the address of its front page. */
  readonly redirectLang: boolean
  /** The mark is `fr/` and not `language/fr/`. */
  readonly rewrite: boolean
  /** Language code to the address of its domain; may be empty. */
  readonly domains: ReadonlyMap<string, string>
  /** As stored; '' until Polylang has chosen one. */
  readonly defaultLang: string
  /** Post types whose posts have a language. */
  readonly postTypes: ReadonlySet<string>
  /** Taxonomies whose terms have a language. */
  readonly taxonomies: ReadonlySet<string>
}

/** Languages of a site that may have a domain of their own; further ones are not read, for every address is compared with each. */
export const MAX_DOMAINS = 200

/** The settings in the decoded option; Polylang's defaults for what it lacks. */
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

/** Old versions stored texts and integers for what are booleans and integers now. */
export function isTruthy(value: PhpValue): boolean {
  return Boolean(value) && value !== '0'
}

function forceLangIn(value: PhpValue | undefined): 0 | 1 | 2 | 3 {
  const stored = Number(value ?? 1)
  return stored === 0 || stored === 2 || stored === 3 ? stored : 1
}
