import type { Db } from '#wp-frames/db/database'
import { DAY_MS, gmtText, parseGmt } from '#wp-frames/db/gmt'
import { readRow, readRows, runStatement } from '#wp-frames/db/sql'
import type { Tx } from '#wp-frames/db/transaction'
import {
  ASKED_SCOPE,
  checksTable,
  limitsOf,
  MAX_TOKEN_SITES,
  type ScopeRow,
  scopesTable,
} from '#wp-frames/record/auth/token-scopes'
import { recordToken, storeScope, type TokenRow, tokensTable } from '#wp-frames/record/auth/tokens'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'
import type { User } from '#wp-frames/wordpress/users/users'

/** Label of a token that is known only by asking the old endpoint. */
const ASKED_LABEL = 'accepted by the old endpoint'

/** A row of `svc_token_checks`. */
type CheckRow = {
  readonly token_id: number
  readonly blog_id: number
  readonly user_id: number
  readonly checked_at: string
}

/** When the old endpoint last accepted a token for a site, and the user that the token acts as there. */
export type TokenCheck = { readonly blogId: number; readonly user: User; readonly checkedAt: Date }

/**
 * The acceptance of a token for a site, in one statement.
 * @param token its id, or its hash
 * @param blogId 0: for the site for which it was accepted last
 */
export async function readCheck(
  db: Db,
  globals: GlobalTables,
  token: number | Buffer,
  blogId: number,
): Promise<TokenCheck | undefined> {
  const id = typeof token === 'number' ? ':token' : '(SELECT id FROM :tokens: WHERE hash = :token)'
  const [row] = await readRows<CheckRow & { readonly user_login: string }>(
    db,
    `SELECT c.blog_id, c.user_id, c.checked_at, u.user_login
      FROM :checks: c JOIN :users: u ON u.ID = c.user_id AND u.spam = 0 AND u.deleted = 0
      WHERE c.token_id = ${id} AND :blogId IN (0, c.blog_id)
      ORDER BY c.checked_at DESC, c.blog_id LIMIT 1`,
    {
      checks: checksTable(globals),
      tokens: tokensTable(globals),
      users: globals.users,
      token,
      blogId,
    },
  )
  if (!row) return undefined
  const user = { id: row.user_id, login: row.user_login, isBlocked: false }
  return { blogId: row.blog_id, user, checkedAt: parseGmt(row.checked_at) }
}

/** Whether a token may be asked about: not if it was issued, imported or revoked here. */
export async function mayAskAbout(db: Db, globals: GlobalTables, hash: Buffer): Promise<boolean> {
  const [row] = await readRows<Pick<TokenRow, 'revoked_at'> & ScopeRow>(
    db,
    `SELECT t.revoked_at, s.scope, s.sites
      FROM :tokens: t LEFT JOIN :scopes: s ON s.token_id = t.id WHERE t.hash = :hash`,
    { tokens: tokensTable(globals), scopes: scopesTable(globals), hash },
  )
  return !row || (row.scope === ASKED_SCOPE && row.revoked_at === null)
}

export type Acceptance = {
  readonly hash: Buffer
  readonly blogId: number
  readonly user: User
  readonly now: Date
}

/**
 * Stores that the old endpoint has accepted a token for a site.
 * @returns false if the token was revoked or imported meanwhile, or has too many sites
 */
export async function recordAcceptance(
  tx: Tx,
  globals: GlobalTables,
  { hash, blogId, user, now }: Acceptance,
): Promise<boolean> {
  const expires_at = gmtText(new Date(now.getTime() + tx.timings.auth.askedTokenDays * DAY_MS))
  const row = { user_id: user.id, hash, label: ASKED_LABEL, created_at: gmtText(now), expires_at }
  // Another process may insert it at the same time.
  const { insertId: newId } = await runStatement(
    tx,
    'INSERT IGNORE INTO :tokens: (:columns:) VALUES (:values)',
    { tokens: tokensTable(globals), columns: Object.keys(row), values: Object.values(row) },
  )
  const known = await lockAskedToken(tx, globals, { hash })
  if (!known || known.revoked_at !== null) return false
  const isNew = newId === known.id
  if (!isNew && known.scope !== ASKED_SCOPE) return false
  const { id } = known
  const before = isNew ? undefined : stateOf(known)
  // What was accepted before it expired is asked about again.
  const isOver = isNew || known.expires_at === null || known.expires_at <= gmtText(now)
  const old = isOver ? [] : (before?.sites ?? [])
  const sites = old.includes(blogId) ? old : [...old, blogId].sort((a, b) => a - b)
  if (sites.length > MAX_TOKEN_SITES) return false
  const check = { checks: checksTable(globals), id, blogId, userId: user.id, now: gmtText(now) }
  if (isOver) await runStatement(tx, 'DELETE FROM :checks: WHERE token_id = :id', check)
  await storeScope(tx, globals, { token_id: id, scope: ASKED_SCOPE, sites: sites.join() })
  await runStatement(
    tx,
    `INSERT INTO :checks: (token_id, blog_id, user_id, checked_at) VALUES (:id, :blogId, :userId, :now)
      ON DUPLICATE KEY UPDATE user_id = VALUES(user_id), checked_at = VALUES(checked_at)`,
    check,
  )
  // The history gets an entry when something changes, and the expiry changes once a day: not with each check.
  const isExtended = isOver || msBetween(known.expires_at ?? '', expires_at) >= DAY_MS
  const after = {
    ...stateOf(known),
    sites,
    user_id: (await isUserOf(tx, globals, known)) ? known.user_id : user.id,
    expires_at: isExtended ? expires_at : known.expires_at,
  }
  await runStatement(
    tx,
    'UPDATE :tokens: SET user_id = :user_id, expires_at = :expires_at WHERE id = :id',
    {
      tokens: tokensTable(globals),
      id,
      user_id: after.user_id,
      expires_at: after.expires_at,
    },
  )
  recordToken(tx, globals, id, { action: 'accepted', before, after })
  return true
}

/** Whether the token acts as its user on some site. */
async function isUserOf(
  tx: Tx,
  globals: GlobalTables,
  { id, user_id }: Pick<TokenRow, 'id' | 'user_id'>,
): Promise<boolean> {
  const rows = await readRows(
    tx,
    `SELECT 1 FROM :checks: c JOIN :users: u ON u.ID = c.user_id AND u.spam = 0 AND u.deleted = 0
      WHERE c.token_id = :id AND c.user_id = :user_id LIMIT 1`,
    { checks: checksTable(globals), users: globals.users, id, user_id },
  )
  return rows.length > 0
}

const msBetween = (from: string, to: string): number =>
  parseGmt(to).getTime() - parseGmt(from).getTime()

/**
 * Ends what the old endpoint has refused: the token for one site, or altogether. A refused token expires, and is not revoked: if the old endpoint was wrong, it
 * may be accepted again.
 * @param blogId undefined: altogether. A token that is accepted for no site expires, too
 */
export async function recordRefusal(
  tx: Tx,
  globals: GlobalTables,
  id: number,
  { blogId, now }: { readonly blogId: number | undefined; readonly now: Date },
): Promise<void> {
  const known = await lockAskedToken(tx, globals, { id })
  if (!known || known.revoked_at !== null || known.scope !== ASKED_SCOPE) return
  const before = stateOf(known)
  const sites = blogId === undefined ? [] : (before.sites ?? []).filter((site) => site !== blogId)
  await runStatement(
    tx,
    `DELETE FROM :checks: WHERE token_id = :id ${blogId === undefined ? '' : 'AND blog_id = :blogId'}`,
    { checks: checksTable(globals), id, blogId: blogId ?? null },
  )
  if (sites.length > 0) {
    await runStatement(tx, 'UPDATE :scopes: SET sites = :sites WHERE token_id = :id', {
      scopes: scopesTable(globals),
      id,
      sites: sites.join(),
    })
    const after = { ...before, sites }
    recordToken(tx, globals, id, { action: 'refused', before, after })
    return
  }
  const expires_at = gmtText(now)
  await runStatement(tx, 'UPDATE :tokens: SET expires_at = :expires_at WHERE id = :id', {
    tokens: tokensTable(globals),
    id,
    expires_at,
  })
  const after = { ...before, expires_at }
  recordToken(tx, globals, id, { action: 'refused', before, after })
}

type AskedTokenRow = Omit<TokenRow, 'hash' | 'last_used_at' | 'created_at'> & ScopeRow

/** The token with this id or hash; its row is locked. */
async function lockAskedToken(
  tx: Tx,
  globals: GlobalTables,
  by: { readonly id: number } | { readonly hash: Buffer },
): Promise<AskedTokenRow | undefined> {
  return readRow<AskedTokenRow>(
    tx,
    `SELECT t.id, t.user_id, t.label, t.expires_at, t.revoked_at, s.scope, s.sites
      FROM :tokens: t LEFT JOIN :scopes: s ON s.token_id = t.id
      WHERE ${'id' in by ? 't.id = :id' : 't.hash = :hash'} FOR UPDATE`,
    { tokens: tokensTable(globals), scopes: scopesTable(globals), ...by },
  )
}

const stateOf = ({ user_id, label, expires_at, revoked_at, ...limits }: AskedTokenRow) => ({
  user_id,
  label,
  expires_at,
  revoked_at,
  ...limitsOf(limits),
  // A new row has no scope yet.
  asked: true as const,
})
