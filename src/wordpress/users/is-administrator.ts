import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/read-rows.ts'
import type { GlobalTables } from '../network/global-tables.ts'
import { decodePhp } from '../serialized/decode-php.ts'
import { SerializedError } from '../serialized/serialized-error.ts'
import type { User } from './find-user.ts'

/** Where a user's standing is looked up: a site's prefix and its network. */
export type SiteScope = {
  readonly prefix: string
  readonly networkId: number
  readonly globals: GlobalTables
}

export type Standing = {
  /** The user's `<prefix>capabilities` hold `administrator` truthy (decisions, section 3). */
  readonly administrator: boolean
  /** The user's login is in `site_admins` of the site's network (is_super_admin, capabilities.php). */
  readonly superAdmin: boolean
}

/** Whom WordPress takes for super administrators where the network option is missing (get_super_admins). */
const DEFAULT_SUPER_ADMINS = ['admin']

/** May this user manage this site: as an administrator of it or a super administrator of its network? */
export async function isAdministrator(db: Db, scope: SiteScope, user: User): Promise<boolean> {
  const { administrator, superAdmin } = await readStanding(db, scope, user)
  return administrator || superAdmin
}

/** What the user is on this site, in one statement. */
export async function readStanding(db: Db, scope: SiteScope, user: User): Promise<Standing> {
  const { globals, prefix, networkId } = scope
  const { usermeta, sitemeta } = globals
  const [row] = await readRows<StandingRow>(
    db,
    `SELECT ${standingColumns(':userId', ':networkId')}`,
    { usermeta, sitemeta, capabilities: `${prefix}capabilities`, userId: user.id, networkId },
  )
  return standingOf(row, user.login)
}

/** What a user's standing is told by, as the tables hold it. */
export type StandingRow = {
  readonly capabilities: string | null
  readonly site_admins: string | null
}

/**
 * The columns of a `StandingRow`. Of duplicate rows WordPress reads the oldest. The statement is given the tables `usermeta` and `sitemeta`,
 * and `capabilities`, the key of the user's role on the site.
 * @param userId, networkId where the statement has them
 */
export function standingColumns(userId: string, networkId: string): string {
  return `
    (SELECT meta_value FROM :usermeta: WHERE user_id = ${userId} AND meta_key = :capabilities
      ORDER BY umeta_id LIMIT 1) AS capabilities,
    (SELECT meta_value FROM :sitemeta: WHERE site_id = ${networkId} AND meta_key = 'site_admins'
      ORDER BY meta_id LIMIT 1) AS site_admins`
}

/** What a row says of the user with this login; nothing is granted without one. */
export function standingOf(row: StandingRow | undefined, login: string): Standing {
  const siteAdmins = row?.site_admins ?? null
  const superAdmins = siteAdmins === null ? DEFAULT_SUPER_ADMINS : [...arrayOf(siteAdmins).values()]
  const role = arrayOf(row?.capabilities ?? '').get('administrator')
  return {
    administrator: Boolean(role) && role !== '0',
    superAdmin: superAdmins.includes(login),
  }
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
