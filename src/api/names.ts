import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { groupBy } from '../host/group-by.ts'
import { findSites } from '../wordpress/network/find-sites.ts'
import { type GlobalTables, siteAddress } from '../wordpress/network/site.ts'
import { readPageTitles } from '../wordpress/pages/pages.ts'
import { readDisplayNames } from '../wordpress/users/users.ts'
import { field } from './described.ts'
import type { ResponseOf, SiteContext } from './endpoint.ts'

const usersField = field(
  z.record(z.string(), z.string()),
  'Displayed names of users by id: all for super administrators, for others those who have a role on the site.',
  { 2: 'Alice' },
)

const TitlesSchema = field(
  z.record(z.string(), z.string()),
  'Titles of pages by id, as stored; HTML.',
  { 11: 'Team' },
)

/** Names for ids in a response of a site. */
export const NamesSchema = z.object({ users: usersField, pages: TitlesSchema }).meta({
  id: 'Names',
  description: 'Names for ids in the response. Deleted things have none.',
})

/** Names for ids in a response of the network. */
export const UserNamesSchema = z.object({ users: usersField }).meta({ id: 'UserNames' })

/** Names for ids in the history of the network. */
export const NetworkNamesSchema = z
  .object({
    users: usersField,
    pages: z.record(z.string(), TitlesSchema).describe('Titles of pages by id of the site.'),
    sites: field(z.record(z.string(), z.string()), 'Addresses of sites by id.', {
      2: 'net.test/shop',
    }),
  })
  .meta({ id: 'NetworkNames' })

/** Ids that a response contains. */
export type NamedIds = {
  readonly users: readonly (number | null)[]
  readonly pages: readonly { readonly siteId: number; readonly id: number }[]
  /** Further sites; those of pages are named anyway. */
  readonly sites?: readonly number[]
}

/** The names that the caller may see. */
export async function readNamesForCaller(
  {
    db,
    site,
    caller,
    rights,
  }: Pick<SiteContext, 'site' | 'caller' | 'rights'> & { readonly db: Db },
  { users, pages }: NamedIds,
): Promise<ResponseOf<typeof NamesSchema>> {
  const sees = rights.superAdmin ? {} : { onSite: site, orId: caller.user.id }
  const ids = [...new Set(pages.map(({ id }) => id))]
  const [names, titles] = await Promise.all([
    readDisplayNames(db, site.globals, distinct(users), sees),
    ids.length === 0 ? undefined : readPageTitles(db, [{ site, ids }]),
  ])
  return {
    users: Object.fromEntries(names),
    pages: Object.fromEntries(titles?.get(site.blogId) ?? []),
  }
}

/** The names of these users that the caller may see. */
export async function readUserNamesForCaller(
  call: Parameters<typeof readNamesForCaller>[0],
  ids: readonly (number | null)[],
): Promise<ResponseOf<typeof UserNamesSchema>> {
  const { users } = await readNamesForCaller(call, { users: ids, pages: [] })
  return { users }
}

/** The names of these users, for super administrators, who may see all. */
export async function readUserNames(
  db: Db,
  globals: GlobalTables,
  users: readonly (number | null)[],
): Promise<ResponseOf<typeof UserNamesSchema>> {
  return { users: Object.fromEntries(await readDisplayNames(db, globals, distinct(users))) }
}

/** The names of users, of pages of any sites, and of these sites, for super administrators. */
export async function readNetworkNames(
  db: Db,
  globals: GlobalTables,
  { users, pages, sites: others = [] }: NamedIds,
): Promise<ResponseOf<typeof NetworkNamesSchema>> {
  const ids = groupBy(pages, ({ siteId }) => siteId)
  const [names, sites] = await Promise.all([
    readUserNames(db, globals, users),
    findSites(db, globals, [...new Set([...ids.keys(), ...others])]),
  ])
  const titles = await readPageTitles(
    db,
    sites
      .filter(({ blogId }) => ids.has(blogId))
      .map((site) => ({
        site,
        ids: [...new Set(ids.get(site.blogId)?.map(({ id }) => id))],
      })),
  )
  const byId = [...titles].map(([blogId, ofSite]) => [blogId, Object.fromEntries(ofSite)] as const)
  const addresses = sites.map((site) => [site.blogId, siteAddress(site)] as const)
  return { ...names, pages: Object.fromEntries(byId), sites: Object.fromEntries(addresses) }
}

/** Null and 0 are nobody. */
const distinct = (ids: readonly (number | null)[]): number[] => [
  ...new Set(ids.flatMap((id) => (id === null || id === 0 ? [] : id))),
]
