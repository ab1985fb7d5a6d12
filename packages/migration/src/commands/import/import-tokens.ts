import { gmtText } from '#wp-frames/db/gmt'
import { inBatches, readRows, runStatement, storeRows } from '#wp-frames/db/sql'
import type { Tx } from '#wp-frames/db/transaction'
import {
  isLimited,
  limitsOf,
  originOf,
  type ScopeRow,
  scopesTable,
  type TokenLimits,
} from '#wp-frames/record/auth/token-scopes'
import {
  recordToken,
  storeScope,
  type TokenFields,
  type TokenRow,
  tokensTable,
} from '#wp-frames/record/auth/tokens'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'

/** A token of another program, of which only the hash is stored. */
export type ImportedToken = {
  readonly hash: Buffer
  readonly userId: number
  readonly label: string
  /** GMT; null if it does not expire. */
  readonly expiresAt: string | null
  readonly limits: TokenLimits
}

/** What an import does to a token, or why it does nothing. `id` is that of the token. */
export type ImportResult =
  | { readonly result: 'imported' | 'updated' | 'unchanged'; readonly id: number }
  | { readonly result: 'expired' }
  | { readonly result: 'revoked'; readonly id: number; readonly revokedAt: string }
  | {
      readonly result: 'different'
      readonly id: number
      /** The names of the fields that the token has with other values. */
      readonly fields: readonly string[]
    }

const HASHES_PER_STATEMENT = 1000

/**
 * Stores these tokens. A token that is stored with the same fields is left alone, so an import can be repeated. The caller rolls back if a result is
 * a refusal.
 * @param tokens with different hashes
 * @param mayUpdate whether a stored token with other fields gets these
 * @returns the results in the order of the tokens
 */
export async function importTokens(
  tx: Tx,
  globals: GlobalTables,
  tokens: readonly ImportedToken[],
  { mayUpdate, now }: { readonly mayUpdate: boolean; readonly now: Date },
): Promise<ImportResult[]> {
  const known = await lockTokens(tx, globals, tokens)
  const isNew = ({ hash, expiresAt }: ImportedToken): boolean =>
    !known.has(hash.toString('hex')) && !hasPassed(expiresAt, now)
  const ids = await insertTokens(tx, globals, tokens.filter(isNew), now)
  const results: ImportResult[] = []
  for (const token of tokens) {
    const hex = token.hash.toString('hex')
    const id = ids.get(hex)
    const stored = known.get(hex)
    if (id !== undefined) results.push({ result: 'imported', id })
    else if (!stored) results.push({ result: 'expired' })
    else results.push(await importAgain(tx, globals, { token, stored, mayUpdate, now }))
  }
  return results
}

const hasPassed = (expiresAt: string | null, now: Date): boolean =>
  expiresAt !== null && expiresAt <= gmtText(now)

type StoredToken = Pick<
  TokenRow,
  'id' | 'hash' | 'user_id' | 'label' | 'expires_at' | 'revoked_at'
> &
  ScopeRow

/** The stored tokens with the hashes of these, by hash; their rows are locked. */
async function lockTokens(
  tx: Tx,
  globals: GlobalTables,
  tokens: readonly ImportedToken[],
): Promise<Map<string, StoredToken>> {
  const known = new Map<string, StoredToken>()
  for (const batch of inBatches(tokens, HASHES_PER_STATEMENT)) {
    const rows = await readRows<StoredToken>(
      tx,
      `SELECT t.id, t.hash, t.user_id, t.label, t.expires_at, t.revoked_at, s.scope, s.sites
        FROM :tokens: t LEFT JOIN :scopes: s ON s.token_id = t.id
        WHERE t.hash IN (:hashes) FOR UPDATE`,
      {
        tokens: tokensTable(globals),
        scopes: scopesTable(globals),
        hashes: batch.map(({ hash }) => hash),
      },
    )
    for (const row of rows) known.set(row.hash.toString('hex'), row)
  }
  return known
}

/** Inserts tokens. @returns their ids by hash */
async function insertTokens(
  tx: Tx,
  globals: GlobalTables,
  tokens: readonly ImportedToken[],
  now: Date,
): Promise<Map<string, number>> {
  const created_at = gmtText(now)
  const table = tokensTable(globals)
  const rows = tokens.map(({ userId: user_id, hash, label, expiresAt: expires_at }) => {
    return { user_id, hash, label, created_at, expires_at }
  })
  await storeRows(tx, [{ table, rows }])
  const ids = new Map(
    [...(await lockTokens(tx, globals, tokens))].map(([hex, { id }]) => [hex, Number(id)]),
  )
  const idOf = ({ hash }: ImportedToken): number => ids.get(hash.toString('hex')) ?? 0
  const scopes = tokens
    .filter(({ limits }) => isLimited(limits))
    .map((token) => ({ token_id: idOf(token), ...scopeRowOf(token.limits) }))
  await storeRows(tx, [{ table: scopesTable(globals), rows: scopes }])
  for (const token of tokens)
    recordToken(tx, globals, idOf(token), {
      action: 'imported',
      before: undefined,
      after: fieldsOf(token),
    })
  return ids
}

const scopeRowOf = ({ scope, sites }: TokenLimits) => ({ scope, sites: sites?.join() ?? null })

/** Equal sites have equal texts. */
const sorted = (limits: TokenLimits): TokenLimits => ({
  ...limits,
  sites: limits.sites && [...limits.sites].sort((a, b) => a - b),
})

const fieldsOf = ({ userId, label, expiresAt, limits }: ImportedToken): TokenFields => ({
  user_id: userId,
  label,
  expires_at: expiresAt,
  revoked_at: null,
  ...limits,
})

type Again = {
  readonly token: ImportedToken
  readonly stored: StoredToken
  readonly mayUpdate: boolean
  readonly now: Date
}

/** Compares a token with the stored one of its hash, and updates that. */
async function importAgain(
  tx: Tx,
  globals: GlobalTables,
  { token, stored, mayUpdate, now }: Again,
): Promise<ImportResult> {
  const { id, revoked_at } = stored
  if (revoked_at !== null) return { result: 'revoked', id, revokedAt: revoked_at }
  const { user_id, label, expires_at } = stored
  const before = {
    user_id,
    label,
    expires_at,
    revoked_at,
    ...limitsOf(stored),
    ...originOf(stored),
  }
  const after = fieldsOf(token)
  const [old, wanted] = [before, after].map((token) => ({ ...token, ...sorted(token) }))
  const fields: (readonly [keyof TokenFields, string])[] = FIELD_NAMES.filter(
    ([name]) => String(old?.[name]) !== String(wanted?.[name]),
  )
  // It is stored only because the old endpoint accepts it, and has to be asked again and again.
  if (before.asked) fields.push(['scope', 'origin'])
  if (fields.length === 0) return { result: 'unchanged', id }
  if (!mayUpdate) return { result: 'different', id, fields: fields.map(([, name]) => name) }
  if (hasPassed(token.expiresAt, now)) return { result: 'expired' }
  await runStatement(
    tx,
    `UPDATE :tokens: SET user_id = :user_id, label = :label, expires_at = :expires_at
      WHERE id = :id`,
    {
      tokens: tokensTable(globals),
      id,
      user_id: after.user_id,
      label: after.label,
      expires_at: after.expires_at,
    },
  )
  await storeScope(tx, globals, { token_id: id, ...scopeRowOf(token.limits) })
  recordToken(tx, globals, id, { action: 'imported', before, after })
  return { result: 'updated', id }
}

/** The fields that are compared, with their names in the file. */
const FIELD_NAMES = [
  ['user_id', 'user'],
  ['label', 'label'],
  ['expires_at', 'expires_at'],
  ['scope', 'scope'],
  ['sites', 'sites'],
] as const
