import type { Db } from '../../db/database.ts'
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

/** What the user is on this site, in one statement. Of duplicate rows WordPress reads the oldest. */
export async function readStanding(db: Db, scope: SiteScope, user: User): Promise<Standing> {
  const { globals, prefix, networkId } = scope
  const { sql } = db
  const row: { capabilities: string | null; site_admins: string | null } = await sql
    .select({
      capabilities: sql(globals.usermeta)
        .select('meta_value')
        .where({ user_id: user.id, meta_key: `${prefix}capabilities` })
        .orderBy('umeta_id')
        .limit(1),
      site_admins: sql(globals.sitemeta)
        .select('meta_value')
        .where({ site_id: networkId, meta_key: 'site_admins' })
        .orderBy('meta_id')
        .limit(1),
    })
    .first()
  const superAdmins =
    row.site_admins === null ? DEFAULT_SUPER_ADMINS : [...arrayOf(row.site_admins).values()]
  const role = arrayOf(row.capabilities ?? '').get('administrator')
  return {
    administrator: Boolean(role) && role !== '0',
    superAdmin: superAdmins.includes(user.login),
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
