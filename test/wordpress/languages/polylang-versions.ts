import type { PolylangSettings } from '../../../src/wordpress/languages/polylang-settings.ts'

/** The data of a version of Polylang, as it is stored for the theme "opal" and the languages en, fr, de and ar. */
export type PolylangVersion = {
  readonly title: string
  /** The option `polylang`. */
  readonly option: string
  readonly settings: Partial<PolylangSettings>
  /** Descriptions of the terms of French and Arabic. */
  readonly french: string
  readonly arabic: string
  /** Whether visitors see French. */
  readonly isFrenchActive?: boolean
  /** Description of a group of translations, with the pages 3 (en) and 4 (fr). */
  readonly group: string
  /** The cached list of languages, with another language than the terms. */
  readonly cache: string
  /** The menus at the location "header", without zeros. */
  readonly header: Readonly<Record<string, number>>
  /** What changes in the option when menu 26 is assigned to "header" in French. */
  readonly assigned: readonly Replacement[]
  /** What changes in the option when menu 23 is deleted. */
  readonly unassigned: readonly Replacement[]
}

/** A part of a text, and what replaces it. */
type Replacement = readonly [string, string]

const FLAT_CACHE =
  'a:1:{i:0;a:4:{s:7:"term_id";i:900;s:4:"name";s:2:"XX";s:4:"slug";s:2:"xx";s:10:"tl_term_id";i:901;}}'
const TERM_PROPS_CACHE =
  'a:1:{i:0;a:3:{s:4:"name";s:2:"XX";s:4:"slug";s:2:"xx";s:10:"term_props";a:1:{s:8:"language";a:1:{s:7:"term_id";i:900;}}}}'

/**
 * One entry per format, from the oldest data that Polylang 2 and 3 accept (PLL install/upgrade.php). The options follow PLL
 * install/install.php, and since 3.7 PLL Options/.
 */
export const POLYLANG_VERSIONS: readonly PolylangVersion[] = [
  {
    title: '2.0 with the data of 1.7: "/language/" in addresses, no flags, directions as strings',
    option:
      'a:14:{s:7:"browser";i:1;s:7:"rewrite";i:0;s:12:"hide_default";i:0;s:10:"force_lang";i:1;s:13:"redirect_lang";i:0;' +
      's:13:"media_support";i:1;s:4:"sync";a:1:{i:0;s:10:"taxonomies";}s:10:"post_types";a:0:{}s:10:"taxonomies";a:0:{}' +
      's:7:"domains";a:0:{}s:7:"version";s:5:"2.0.1";s:12:"default_lang";s:2:"fr";' +
      's:9:"nav_menus";a:1:{s:4:"opal";a:1:{s:6:"header";a:2:{s:2:"fr";s:2:"24";s:2:"en";s:2:"23";}}}' +
      's:16:"previous_version";s:5:"1.7.6";}',
    settings: {
      forceLang: 1,
      hideDefault: false,
      rewrite: false,
      redirectLang: false,
      defaultLang: 'fr',
      postTypes: new Set(['post', 'page', 'wp_block', 'attachment']),
    },
    french: 'a:2:{s:6:"locale";s:5:"fr_FR";s:3:"rtl";s:1:"0";}',
    arabic: 'a:2:{s:6:"locale";s:2:"ar";s:3:"rtl";s:1:"1";}',
    group: 'a:2:{s:2:"en";s:1:"3";s:2:"fr";s:1:"4";}',
    cache: FLAT_CACHE,
    header: { fr: 24, en: 23 },
    assigned: [['s:2:"fr";s:2:"24";', 's:2:"fr";i:26;']],
    unassigned: [['a:2:{s:2:"fr";s:2:"24";s:2:"en";s:2:"23";}', 'a:1:{s:2:"fr";s:2:"24";}']],
  },
  {
    title: '2.2: media have languages, zeros for languages without a menu',
    option:
      'a:14:{s:7:"browser";b:0;s:7:"rewrite";i:1;s:12:"hide_default";i:1;s:10:"force_lang";i:1;s:13:"redirect_lang";i:1;' +
      's:13:"media_support";i:1;s:9:"uninstall";i:0;s:4:"sync";a:0:{}s:10:"post_types";a:1:{i:0;s:4:"song";}' +
      's:10:"taxonomies";a:1:{i:0;s:5:"genre";}s:7:"domains";a:0:{}s:7:"version";s:5:"2.2.5";s:12:"default_lang";s:2:"en";' +
      's:9:"nav_menus";a:1:{s:4:"opal";a:2:{s:6:"header";a:4:{s:2:"en";i:23;s:2:"fr";i:0;s:2:"de";i:25;s:2:"ar";i:0;}' +
      's:8:"footer_1";a:2:{s:2:"fr";i:23;s:2:"en";i:26;}}}}',
    settings: {
      hideDefault: true,
      rewrite: true,
      redirectLang: true,
      defaultLang: 'en',
      postTypes: new Set(['post', 'page', 'wp_block', 'song', 'attachment']),
      taxonomies: new Set(['category', 'post_tag', 'genre']),
    },
    french: 'a:3:{s:6:"locale";s:5:"fr_FR";s:3:"rtl";i:0;s:9:"flag_code";s:2:"fr";}',
    arabic: 'a:3:{s:6:"locale";s:2:"ar";s:3:"rtl";i:1;s:9:"flag_code";s:4:"arab";}',
    group: 'a:2:{s:2:"en";i:3;s:2:"fr";i:4;}',
    cache: FLAT_CACHE,
    header: { en: 23, de: 25 },
    assigned: [['s:2:"fr";i:0;s:2:"de"', 's:2:"fr";i:26;s:2:"de"']],
    unassigned: [
      ['a:4:{s:2:"en";i:23;s:2:"fr";i:0;', 'a:3:{s:2:"fr";i:0;'],
      ['a:2:{s:2:"fr";i:23;s:2:"en";i:26;}', 'a:1:{s:2:"en";i:26;}'],
    ],
  },
  {
    title: '2.9: a domain per language',
    option:
      'a:16:{s:7:"browser";i:0;s:7:"rewrite";i:1;s:12:"hide_default";i:0;s:10:"force_lang";i:3;s:13:"redirect_lang";i:0;' +
      's:13:"media_support";i:0;s:9:"uninstall";i:0;s:4:"sync";a:0:{}s:10:"post_types";a:0:{}s:10:"taxonomies";a:0:{}' +
      's:7:"domains";a:2:{s:2:"en";s:16:"https://en.test/";s:2:"fr";s:15:"https://fr.test";}s:7:"version";s:5:"2.9.2";' +
      's:16:"first_activation";i:1562051895;s:12:"default_lang";s:2:"en";' +
      's:9:"nav_menus";a:1:{s:4:"opal";a:1:{s:6:"header";a:1:{s:2:"en";i:23;}}}s:16:"previous_version";s:3:"2.8";}',
    settings: {
      forceLang: 3,
      hideDefault: false,
      domains: new Map([
        ['en', 'https://en.test/'],
        ['fr', 'https://fr.test'],
      ]),
      postTypes: new Set(['post', 'page', 'wp_block']),
    },
    french: 'a:3:{s:6:"locale";s:5:"fr_FR";s:3:"rtl";i:0;s:9:"flag_code";s:0:"";}',
    arabic: 'a:3:{s:6:"locale";s:2:"ar";s:3:"rtl";i:1;s:9:"flag_code";s:0:"";}',
    group: 'a:3:{s:2:"en";i:3;s:2:"fr";i:4;s:4:"sync";a:1:{s:2:"en";s:2:"en";}}',
    cache: FLAT_CACHE,
    header: { en: 23 },
    assigned: [['a:1:{s:2:"en";i:23;}', 'a:2:{s:2:"en";i:23;s:2:"fr";i:26;}']],
    unassigned: [['a:1:{s:2:"en";i:23;}', 'a:0:{}']],
  },
  {
    title: '3.1 to 3.3: a new site without menus has no map of menus',
    option:
      'a:14:{s:7:"browser";i:0;s:7:"rewrite";i:1;s:12:"hide_default";i:1;s:10:"force_lang";i:2;s:13:"redirect_lang";i:0;' +
      's:13:"media_support";i:0;s:9:"uninstall";i:0;s:4:"sync";a:0:{}s:10:"post_types";a:0:{}s:10:"taxonomies";a:0:{}' +
      's:7:"domains";a:0:{}s:7:"version";s:5:"3.3.2";s:16:"first_activation";i:1640995200;s:12:"default_lang";s:2:"en";}',
    settings: { forceLang: 2, hideDefault: true, postTypes: new Set(['post', 'page', 'wp_block']) },
    french: 'a:3:{s:6:"locale";s:5:"fr_FR";s:3:"rtl";i:0;s:9:"flag_code";s:2:"fr";}',
    arabic: 'a:3:{s:6:"locale";s:2:"ar";s:3:"rtl";i:1;s:9:"flag_code";s:4:"arab";}',
    group: 'a:2:{s:2:"fr";i:4;s:2:"en";i:3;}',
    cache: FLAT_CACHE,
    header: {},
    assigned: [
      ['a:14:{s:7:"browser"', 'a:15:{s:7:"browser"'],
      [
        's:2:"en";}',
        's:2:"en";s:9:"nav_menus";a:1:{s:4:"opal";a:1:{s:6:"header";a:1:{s:2:"fr";i:26;}}}}',
      ],
    ],
    unassigned: [],
  },
  {
    title: '3.4 to 3.6: fallbacks in the description, several taxonomies in the cached list',
    option:
      'a:15:{s:7:"browser";i:0;s:7:"rewrite";i:1;s:12:"hide_default";i:1;s:10:"force_lang";i:0;s:13:"redirect_lang";i:0;' +
      's:13:"media_support";i:0;s:4:"sync";a:0:{}s:10:"post_types";a:2:{i:0;s:6:"manual";i:2;s:7:"preview";}' +
      's:10:"taxonomies";a:0:{}s:7:"domains";a:0:{}s:7:"version";s:5:"3.5.4";s:16:"first_activation";i:1700000000;' +
      's:12:"default_lang";s:2:"de";s:9:"nav_menus";a:2:{s:5:"other";a:1:{s:6:"header";a:1:{s:2:"fr";i:23;}}' +
      's:4:"opal";a:1:{s:6:"header";a:2:{s:2:"de";i:25;s:2:"en";i:23;}}}s:16:"previous_version";s:5:"3.3.2";}',
    settings: {
      forceLang: 0,
      defaultLang: 'de',
      postTypes: new Set(['post', 'page', 'wp_block', 'manual', 'preview']),
    },
    french:
      'a:4:{s:6:"locale";s:5:"fr_FR";s:3:"rtl";i:0;s:9:"flag_code";s:2:"fr";s:9:"fallbacks";a:1:{i:0;s:5:"fr_CA";}}',
    arabic:
      'a:4:{s:9:"fallbacks";a:1:{i:0;s:5:"ar_EG";}s:6:"locale";s:2:"ar";s:3:"rtl";i:1;s:9:"flag_code";s:4:"arab";}',
    group: 'a:2:{s:2:"en";i:3;s:2:"fr";i:4;}',
    cache: TERM_PROPS_CACHE,
    header: { de: 25, en: 23 },
    assigned: [
      ['a:2:{s:2:"de";i:25;s:2:"en";i:23;}', 'a:3:{s:2:"de";i:25;s:2:"en";i:23;s:2:"fr";i:26;}'],
    ],
    unassigned: [
      ['a:1:{s:2:"fr";i:23;}', 'a:0:{}'],
      ['a:2:{s:2:"de";i:25;s:2:"en";i:23;}', 'a:1:{s:2:"de";i:25;}'],
    ],
  },
  {
    title: '3.7: options with types in a new order, an empty domain for each language',
    option:
      'a:15:{s:10:"force_lang";i:3;s:7:"domains";a:3:{s:2:"en";s:15:"https://en.test";s:2:"fr";s:15:"https://fr.test";' +
      's:2:"de";s:0:"";}s:12:"hide_default";b:0;s:7:"rewrite";b:1;s:13:"redirect_lang";b:0;s:7:"browser";b:0;' +
      's:13:"media_support";b:0;s:10:"post_types";a:0:{}s:10:"taxonomies";a:0:{}s:4:"sync";a:0:{}s:12:"default_lang";s:2:"en";' +
      's:9:"nav_menus";a:1:{s:4:"opal";a:2:{s:6:"header";a:2:{s:2:"de";i:25;s:2:"en";i:23;}s:8:"footer_1";a:0:{}}}' +
      's:16:"first_activation";i:1740000000;s:16:"previous_version";s:0:"";s:7:"version";s:5:"3.7.1";}',
    settings: {
      forceLang: 3,
      hideDefault: false,
      rewrite: true,
      domains: new Map([
        ['en', 'https://en.test'],
        ['fr', 'https://fr.test'],
        ['de', ''],
      ]),
      postTypes: new Set(['post', 'page', 'wp_block']),
    },
    french: 'a:3:{s:6:"locale";s:5:"fr_FR";s:3:"rtl";i:0;s:9:"flag_code";s:2:"fr";}',
    arabic: 'a:3:{s:6:"locale";s:2:"ar";s:3:"rtl";i:1;s:9:"flag_code";s:4:"arab";}',
    group: 'a:2:{s:2:"en";i:3;s:2:"fr";i:4;}',
    cache: TERM_PROPS_CACHE,
    header: { de: 25, en: 23 },
    assigned: [
      ['a:2:{s:2:"de";i:25;s:2:"en";i:23;}', 'a:3:{s:2:"de";i:25;s:2:"en";i:23;s:2:"fr";i:26;}'],
    ],
    unassigned: [['a:2:{s:2:"de";i:25;s:2:"en";i:23;}', 'a:1:{s:2:"de";i:25;}']],
  },
  {
    title: '3.8 Pro after an upgrade from 2.9: the old order with types, a deactivated language',
    option:
      'a:18:{s:7:"browser";b:0;s:7:"rewrite";b:1;s:12:"hide_default";b:1;s:10:"force_lang";i:1;s:13:"redirect_lang";b:1;' +
      's:13:"media_support";b:1;s:9:"uninstall";i:0;s:4:"sync";a:0:{}s:10:"post_types";a:0:{}s:10:"taxonomies";a:0:{}' +
      's:7:"domains";a:0:{}s:7:"version";s:5:"3.8.7";s:16:"first_activation";i:1562051895;s:12:"default_lang";s:2:"en";' +
      's:9:"nav_menus";a:1:{s:4:"opal";a:1:{s:6:"header";a:2:{s:2:"en";i:23;s:2:"fr";i:24;}}}s:16:"previous_version";s:5:"3.7.1";' +
      's:5:"media";a:1:{s:9:"duplicate";b:0;}s:27:"machine_translation_enabled";b:0;}',
    settings: {
      forceLang: 1,
      hideDefault: true,
      redirectLang: true,
      postTypes: new Set(['post', 'page', 'wp_block', 'attachment']),
    },
    french:
      'a:4:{s:6:"active";b:0;s:6:"locale";s:5:"fr_FR";s:3:"rtl";b:0;s:9:"flag_code";s:2:"fr";}',
    arabic: 'a:3:{s:6:"locale";s:2:"ar";s:3:"rtl";b:1;s:9:"flag_code";s:4:"arab";}',
    isFrenchActive: false,
    group: 'a:3:{s:2:"en";i:3;s:2:"fr";i:4;s:4:"sync";a:0:{}}',
    cache: TERM_PROPS_CACHE,
    header: { en: 23, fr: 24 },
    assigned: [['s:2:"fr";i:24;', 's:2:"fr";i:26;']],
    unassigned: [['a:2:{s:2:"en";i:23;s:2:"fr";i:24;}', 'a:1:{s:2:"fr";i:24;}']],
  },
]
