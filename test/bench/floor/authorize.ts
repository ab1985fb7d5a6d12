import { createHash } from 'node:crypto'
import type { Pool, RowDataPacket } from 'mysql2/promise'
import type { Scope } from './scope.ts'

type Row = RowDataPacket & {
  user_id?: number
  token_id?: number
  label?: string
  user_login: string
  capabilities: string | null
  site_admins: string | null
  option_name: string
  option_value: string
}

const OPTIONS = [
  'home',
  'stylesheet',
  'permalink_structure',
  'show_on_front',
  'page_on_front',
  'active_plugins',
  'svc_frames',
  'svc_frames_version',
]

/**
 * Reads token, user, site, rights and options in one statement; undefined if the caller has no access.
 * @param isWrite also reads what the history says about the author
 */
export async function authorize(
  pool: Pool,
  blogId: number,
  authorization: string,
  isWrite = false,
): Promise<Scope | undefined> {
  const prefix = blogId === 1 ? 'wp_' : `wp_${blogId}_`
  const token = authorization.slice('Bearer '.length)
  const hash = createHash('sha256').update(token).digest()
  const [rows] = await pool.execute<Row[]>(statement(prefix, isWrite), [
    `${prefix}capabilities`,
    ...OPTIONS,
    blogId,
    hash,
  ])
  const [first] = rows
  if (!first) return undefined
  const login = `:"${first.user_login}";`
  const isSuperAdmin = first.site_admins?.includes(login)
  if (!isSuperAdmin && !first.capabilities?.includes('"administrator";b:1')) return undefined
  const options = new Map(rows.map((row) => [row.option_name, row.option_value]))
  const plugins = `${options.get('active_plugins')}${options.get('network plugins')}`
  if (plugins.includes('polylang')) throw new Error('the floor does not support languages')
  const home = options.get('home') ?? ''
  const { user_id: userId = 0, token_id: tokenId = 0, label = '' } = first
  return { pool, blogId, prefix, home, options, author: { userId, tokenId, label } }
}

const statements = new Map<string, string>()

function statement(prefix: string, isWrite: boolean): string {
  const key = `${prefix} ${isWrite}`
  const cached = statements.get(key)
  if (cached !== undefined) return cached
  const made = `
    SELECT u.user_login,${isWrite ? ' u.ID AS user_id, t.id AS token_id, t.label,' : ''}
      (SELECT meta_value FROM wp_usermeta WHERE user_id = u.ID AND meta_key = ? ORDER BY umeta_id LIMIT 1) AS capabilities,
      (SELECT meta_value FROM wp_sitemeta WHERE site_id = b.site_id AND meta_key = 'site_admins' LIMIT 1) AS site_admins,
      o.option_name,
      IF(o.option_name = 'svc_frames', SHA2(o.option_value, 256), o.option_value) AS option_value
    FROM wp_svc_tokens t
    JOIN wp_users u ON u.ID = t.user_id AND u.spam = 0 AND u.deleted = 0
    JOIN wp_blogs b
    JOIN (
      SELECT option_name, option_value FROM ${prefix}options WHERE option_name IN (${OPTIONS.map(() => '?').join()})
      UNION ALL
      SELECT m.option_name, m.option_value FROM ${prefix}options s
      JOIN ${prefix}options m ON m.option_name = CONCAT('theme_mods_', s.option_value)
      WHERE s.option_name = 'stylesheet'
      UNION ALL
      SELECT 'network plugins', meta_value FROM wp_sitemeta WHERE meta_key = 'active_sitewide_plugins'
    ) o
    WHERE b.blog_id = ? AND b.archived = '0' AND b.spam = 0 AND b.deleted = 0
      AND t.hash = ? AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > UTC_TIMESTAMP())`
  statements.set(key, made)
  return made
}
