import { readRows } from '../../../db/sql.ts'
import {
  ACTIVITY_OPTIONS,
  isPolylangSet,
  NETWORK_ACTIVITY_OPTIONS,
} from '../../../wordpress/languages/polylang-activity.ts'
import { readNetworkOptions } from '../../../wordpress/network/network-option.ts'
import { readOptions } from '../../../wordpress/options/read-options.ts'
import { found, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** In WordPress's rewrite rules, this reads a language from the address: Polylang was loaded when they were made. */
const LANGUAGE_RULE = 'lang=$matches['

/** Checks that the lists of plugins, the stored languages and WordPress's rewrite rules tell the same about Polylang. */
export async function checkPolylang(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { db, site } = snapshot
  const { globals, networkId, tables } = site
  const [languages, options, networks, [stored]] = await Promise.all([
    snapshot.data.languages(),
    readOptions(db, site, [...ACTIVITY_OPTIONS, 'rewrite_rules']),
    readNetworkOptions(db, globals, [networkId], NETWORK_ACTIVITY_OPTIONS),
    readRows<{ count: number }>(
      db,
      "SELECT COUNT(*) AS count FROM :taxonomy: WHERE taxonomy = 'language'",
      { taxonomy: tables.termTaxonomy },
    ),
  ])
  if (isPolylangSet(options, networks.get(networkId) ?? new Map())) return []
  const rules = options.get('rewrite_rules') ?? ''
  const hasRules = rules.includes('$matches[')
  const hasLanguageRules = rules.includes(LANGUAGE_RULE)
  const { active, list, settings } = languages
  if (!active) {
    const count = Number(stored?.count ?? 0)
    return count > 0 ? [unlisted(count, { hasRules, hasLanguageRules })] : []
  }
  const expectsRules = settings.forceLang === 1 && list.length > 1
  return expectsRules && hasRules && !hasLanguageRules ? [unloaded(list.length)] : []
}

function unlisted(
  count: number,
  { hasRules, hasLanguageRules }: { hasRules: boolean; hasLanguageRules: boolean },
): Problem {
  const isDeactivated = hasRules && !hasLanguageRules
  return found(
    'polylang_unlisted',
    `The site stores ${count} languages, but neither the site nor its network lists Polylang as an active plugin. ${
      hasLanguageRules
        ? "WordPress's rewrite rules were made with Polylang, so WordPress loads it, such as from mu-plugins."
        : isDeactivated
          ? "WordPress's rewrite rules were made without Polylang, so it was probably deactivated."
          : 'The tables do not tell whether WordPress loads it all the same, such as from mu-plugins.'
    }`,
    { severity: hasLanguageRules ? 'error' : isDeactivated ? 'info' : 'warning' },
  )
}

const unloaded = (count: number): Problem =>
  found(
    'polylang_unloaded',
    `Polylang is listed as an active plugin, with ${count} languages, but WordPress's rewrite rules were made without it.`,
  )
