import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { GlobalTables } from '../network/global-tables.ts'
import { decodePhp } from '../serialized/decode-php.ts'
import { SerializedError } from '../serialized/php-value.ts'
import type { User } from './users.ts'

/** Where a user's standing is looked up: a site's prefix and its network. */
export type RightsScope = {
  readonly prefix: string
  readonly networkId: number
  readonly globals: GlobalTables
}

export type SiteRights = {
  /** The user's `<prefix>capabilities` hold `administrator` truthy (decisions, section 3). */
  readonly administrator: boolean
  /** The user's login is in `site_admins` of the site's network (is_super_admin, capabilities.php). */
  readonly superAdmin: boolean
}

/** Whom WordPress takes for super administrators where the network option is missing (get_super_admins). */
const DEFAULT_SUPER_ADMINS = ['admin']

/** May this user manage this site: as an administrator of it or a super administrator of its network? */
export async function isAdministrator(db: Db, scope: RightsScope, user: User): Promise<boolean> {
  const { administrator, superAdmin } = await readSiteRights(db, scope, user)
  return administrator || superAdmin
}

/** Is this user a super administrator of every network of the installation? */
export async function isSuperAdminEverywhere(
  db: Db,
  globals: GlobalTables,
  user: User,
): Promise<boolean> {
  const networks: number[] = await db.sql(globals.site).pluck('id')
  const { basePrefix: prefix } = globals
  for (const networkId of networks) {
    const { superAdmin } = await readSiteRights(db, { globals, prefix, networkId }, user)
    if (!superAdmin) return false
  }
  return true
}

/** What the user is on this site, in one statement. */
export async function readSiteRights(db: Db, scope: RightsScope, user: User): Promise<SiteRights> {
  const { globals, prefix, networkId } = scope
  const { usermeta, sitemeta } = globals
  const rows = await readRows<SiteRightsRow>(
    db,
    `SELECT ${SITE_RIGHTS_COLUMNS} FROM (SELECT 1) one ${siteRightsJoins(':userId', ':networkId')}`,
    { usermeta, sitemeta, capabilities: `${prefix}capabilities`, userId: user.id, networkId },
  )
  return siteRightsOf(rows, user.login)
}

/** One of the values that tell a user's standing; there is a row for each pair of duplicates. */
export type SiteRightsRow = {
  readonly umeta_id: number | null
  readonly capabilities: string | null
  readonly meta_id: number | null
  readonly site_admins: string | null
}

export const SITE_RIGHTS_COLUMNS =
  'um.umeta_id, um.meta_value AS capabilities, sm.meta_id, sm.meta_value AS site_admins'

/**
 * What a statement joins to have them. Its values are the tables `usermeta` and `sitemeta`, and `capabilities`, the key of the user's role
 * on the site: WordPress looks it up in PHP, where a key that the column's collation takes for equal is another one.
 * @param userId, networkId where the statement has them
 */
export function siteRightsJoins(userId: string, networkId: string): string {
  return `
    LEFT JOIN :usermeta: um ON um.user_id = ${userId} AND um.meta_key = :capabilities
      AND CAST(um.meta_key AS BINARY) = CAST(:capabilities AS BINARY)
    LEFT JOIN :sitemeta: sm ON sm.site_id = ${networkId} AND sm.meta_key = 'site_admins'`
}

/** What rows say of the user with this login. Of duplicates WordPress reads the oldest. */
export function siteRightsOf(rows: readonly SiteRightsRow[], login: string): SiteRights {
  const capabilities = oldest(rows, 'umeta_id')?.capabilities ?? ''
  const siteAdmins = oldest(rows, 'meta_id')?.site_admins ?? null
  const superAdmins = siteAdmins === null ? DEFAULT_SUPER_ADMINS : [...arrayOf(siteAdmins).values()]
  const role = arrayOf(capabilities).get('administrator')
  return {
    administrator: Boolean(role) && role !== '0',
    superAdmin: superAdmins.includes(login),
  }
}

function oldest(
  rows: readonly SiteRightsRow[],
  id: 'umeta_id' | 'meta_id',
): SiteRightsRow | undefined {
  return [...rows].sort((a, b) => Number(a[id]) - Number(b[id]))[0]
}

/** The entries of a serialized array; a damaged value grants nothing. */
function arrayOf(text: string): ReadonlyMap<unknown, unknown> {
  try {
    const value = decodePhp(text)
    return value instanceof Map ? value : new Map()
  } catch (error) {
    if (error instanceof SerializedError) return new Map()
    throw error
  }
}
