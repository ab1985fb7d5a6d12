import type { Db } from '../../db/database.ts'
import { readNetworkOption } from '../network/network-option.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-option.ts'
import type { PhpValue } from '../serialized/php-value.ts'
import type { Language, Languages } from './language.ts'
import { isTruthy, polylangSettings } from './polylang-settings.ts'
import { storedArray } from './stored-array.ts'

type LanguageRow = { slug: string; name: string; description: string }

/**
 * A site's languages, from its terms and never from Polylang's cache of them, in three statements at once. Polylang
 * counts as active where the site or its network lists it; whether its files are there, the tables don't tell.
 */
export async function readLanguages(db: Db, site: Site): Promise<Languages> {
  const [options, sitewide, rows] = await Promise.all([
    readOptions(db, site, ['active_plugins', 'polylang']),
    readNetworkOption(db, site.globals, site.networkId, 'active_sitewide_plugins'),
    readLanguageRows(db, site),
  ])
  const active =
    [...storedArray(options.get('active_plugins')).values()].some(isPolylang) ||
    [...storedArray(sitewide).keys()].some(isPolylang)
  const settings = polylangSettings(storedArray(options.get('polylang')))
  const list = active ? rows.map(languageOf) : []
  const chosen = list.find((language) => language.slug === settings.defaultLang) ?? list[0]
  return { active, list, default: chosen?.slug ?? null, settings }
}

/** The plugin's main file, in a folder that may bear another name (`polylang-pro`). */
function isPolylang(plugin: PhpValue): boolean {
  return typeof plugin === 'string' && /^[^/]+\/polylang\.php$/.test(plugin)
}

/** In Polylang's order (PLL Model/Languages.php, get_terms). */
async function readLanguageRows(db: Db, site: Site): Promise<LanguageRow[]> {
  const { terms, termTaxonomy } = site.tables
  return db
    .sql({ t: terms })
    .join({ tt: termTaxonomy }, 'tt.term_id', 't.term_id')
    .where('tt.taxonomy', 'language')
    .orderBy(['t.term_group', 't.term_id'])
    .select('t.slug', 't.name', 'tt.description')
}

function languageOf({ slug, name, description }: LanguageRow): Language {
  const details = storedArray(description)
  const locale = details.get('locale')
  return {
    slug,
    name,
    locale: typeof locale === 'string' && locale !== '' ? locale : slug,
    rtl: isTruthy(details.get('rtl') ?? false),
    active: isTruthy(details.get('active') ?? true),
  }
}
