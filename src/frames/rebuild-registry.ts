import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptionsBetween } from '../wordpress/options/read-option.ts'
import { encodePhp } from '../wordpress/serialized/encode-php.ts'
import { recordOption } from './option-names.ts'
import { readNames } from './record.ts'
import { findSlug } from './slug.ts'

const RECORD = new RegExp(`^${recordOption('([0-9a-f]{16})')}$`)

/**
 * The text of the registry for a site that has none: what its records say. Of two records with one slug the one written last has it; a
 * record without a slug of its own bears its id, until it is renamed.
 */
export async function rebuildRegistry(db: Db, site: Site): Promise<string> {
  const records = await readOptionsBetween(db, site, recordOption(''), '')
  const named = [...records].flatMap(([option, text]) => {
    const id = RECORD.exec(option)?.[1]
    return id === undefined ? [] : [{ id, ...readNames(text) }]
  })
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, slug } of named.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))) {
    const own = findSlug(slug)
    const name = own === undefined || taken.has(own) ? id : own
    slugs.set(id, name)
    taken.add(name)
  }
  return encodePhp(Object.fromEntries([...slugs].sort()))
}
