import { z } from 'zod'
import type { Db } from '../db/database.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { readTitles } from '../wordpress/pages/page-titles.ts'
import { readDisplayNames } from '../wordpress/users/users.ts'
import type { ResponseOf, SiteContext } from './endpoint.ts'

/** Names for ids in a response of a site. */
export const NamesSchema = z
  .object({
    users: z.record(z.string(), z.string()).meta({
      description:
        'Displayed names of users by id: all for super administrators, for others those who have a role on the site.',
      examples: [{ 2: 'Alice' }],
    }),
    pages: z.record(z.string(), z.string()).meta({
      description: 'Titles of pages by id, as stored; HTML.',
      examples: [{ 11: 'Team' }],
    }),
  })
  .meta({ id: 'Names', description: 'Names for ids in the response. Deleted things have none.' })

/** Names for ids in a response of the network. */
export const UserNamesSchema = NamesSchema.pick({ users: true }).meta({ id: 'UserNames' })

/** Ids that a response contains. */
export type NamedIds = {
  readonly users: readonly (number | null)[]
  readonly pages: readonly number[]
}

/** The names that the caller may see. */
export async function readNames(
  { db, site, caller, rights }: Pick<SiteContext, 'db' | 'site' | 'caller' | 'rights'>,
  { users, pages }: NamedIds,
): Promise<ResponseOf<typeof NamesSchema>> {
  const { globals } = site
  const sees = rights.superAdmin ? {} : { onSite: site, orId: caller.user.id }
  const [names, titles] = await Promise.all([
    readDisplayNames(db, globals, distinct(users), sees),
    readTitles(db, site, distinct(pages)),
  ])
  return { users: Object.fromEntries(names), pages: Object.fromEntries(titles) }
}

/** The names of these users, for super administrators, who may see all. */
export async function readUserNames(
  db: Db,
  globals: GlobalTables,
  users: readonly (number | null)[],
): Promise<ResponseOf<typeof UserNamesSchema>> {
  return { users: Object.fromEntries(await readDisplayNames(db, globals, distinct(users))) }
}

const distinct = (ids: readonly (number | null)[]): number[] => [
  ...new Set(ids.filter((id) => id !== null)),
]
