import type { Db } from '../../db/database.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { readDefaultLanguages } from '../../wordpress/languages/languages-of-sites.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import {
  readOptionsOfSites,
  type StoredOptions,
} from '../../wordpress/options/read-options-of-sites.ts'
import { matchesPattern, patternOf } from './address-pattern.ts'
import type { Criteria, Selection } from './description.ts'

/** What selections compare, besides ids and addresses. */
type SiteFacts = {
  readonly options: StoredOptions
  /** Texts that name the default language: `fr`, or `fr_FR` and `fr`. */
  readonly languages: readonly string[]
}

export type MatchedSites = {
  /** The indexes of the selections that match a site, in order, by blog id. Sites without any are not in the map. */
  readonly selections: ReadonlyMap<number, readonly number[]>
  /** Sites whose options a selection compares, but whose tables cannot be read. They match no such selection. */
  readonly unreadable: readonly Site[]
}

/**
 * Finds the selections that match each site. Reads only what some selection compares, with one statement for 200 sites and each kind of
 * fact.
 */
export async function matchSites(
  db: Db,
  sites: readonly Site[],
  selections: readonly Pick<Selection, 'match'>[],
): Promise<MatchedSites> {
  const { facts, unreadable } = await readFacts(db, sites, selections)
  const matchers = selections.map(({ match }) => matcherOf(match))
  const found = new Map<number, number[]>()
  await forEachYielding(sites, (site) => {
    const matching = matchers.flatMap((matches, index) =>
      matches(site, facts.get(site.blogId)) ? [index] : [],
    )
    if (matching.length > 0) found.set(site.blogId, matching)
  })
  return { selections: found, unreadable }
}

async function readFacts(
  db: Db,
  sites: readonly Site[],
  selections: readonly Pick<Selection, 'match'>[],
): Promise<{ facts: ReadonlyMap<number, SiteFacts>; unreadable: readonly Site[] }> {
  const matches = selections.map(({ match }) => match)
  const names = new Set(matches.flatMap(({ option = {} }) => Object.keys(option)))
  if (matches.some(({ theme }) => theme)) names.add('stylesheet')
  const needsLanguages = matches.some(({ language }) => language)
  if (names.size === 0 && !needsLanguages) return { facts: new Map(), unreadable: [] }
  const options = names.size > 0 ? await readOptionsOfSites(db, sites, [...names]) : undefined
  const languages = needsLanguages ? await readDefaultLanguages(db, sites) : undefined
  const facts = new Map<number, SiteFacts>()
  for (const { blogId } of sites) {
    const [ownOptions, ownLanguages] = [options?.get(blogId), languages?.get(blogId)]
    if ((options && !ownOptions) || (languages && !ownLanguages)) continue
    facts.set(blogId, { options: ownOptions ?? new Map(), languages: ownLanguages ?? [] })
  }
  return { facts, unreadable: sites.filter(({ blogId }) => !facts.has(blogId)) }
}

type Matcher = (site: Site, facts: SiteFacts | undefined) => boolean

/** A function that tells whether all criteria hold for a site. */
function matcherOf({ id, address, theme, language, option = {} }: Criteria): Matcher {
  const ids = id && new Set(id)
  const patterns = address?.map(patternOf)
  const wanted = Object.entries(option).map(([name, values]) => ({ name, values: new Set(values) }))
  if (theme) wanted.push({ name: 'stylesheet', values: new Set(theme) })
  return (site, facts) => {
    if (ids && !ids.has(site.blogId)) return false
    if (patterns) {
      const own = siteAddress(site).toLowerCase()
      if (!patterns.some((pattern) => matchesPattern(pattern, own))) return false
    }
    return (
      (!language || (facts?.languages.some((one) => language.includes(one)) ?? false)) &&
      wanted.every(({ name, values }) => {
        const value = facts?.options.get(name)
        return value !== undefined && values.has(value)
      })
    )
  }
}
