import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'

/** An account of the database server. */
export type Account = { readonly user: string; readonly host: string }

/** The database of the network, and the account that is connected to it. */
export type Connected = { readonly database: string; readonly account: Account }

/** The account as the server matched it: its grants belong to this name and host. */
export async function readConnected(db: Db): Promise<Connected> {
  const [row] = await readRows<{ name: string; account: string }>(
    db,
    'SELECT DATABASE() AS name, CURRENT_USER() AS account',
    {},
  )
  return { database: row?.name ?? '', account: parseAccount(row?.account ?? '') }
}

/** The account in `user@host`; without a host, as in SQL, the one for all hosts. */
export function parseAccount(text: string): Account {
  const at = text.lastIndexOf('@')
  return at < 0
    ? { user: text, host: '%' }
    : { user: text.slice(0, at), host: text.slice(at + 1) || '%' }
}

/** The statement for rights on one table. */
export function grantOnTable(
  table: string,
  rights: readonly string[],
  { database, account }: Connected,
): string {
  return `GRANT ${rights.join(', ')} ON ${quote(database)}.${quote(table)} TO ${formatAccount(account)};`
}

/** The statement for rights on all tables of the database, also later ones. Here, unlike for one table, `_` and `%` in the name are wildcards. */
export function grantOnDatabase(
  rights: readonly string[],
  { database, account }: Connected,
): string {
  const pattern = database.replace(/[\\_%]/g, '\\$&')
  return `GRANT ${rights.join(', ')} ON ${quote(pattern)}.* TO ${formatAccount(account)};`
}

/** The account as a part of a statement. */
export function formatAccount({ user, host }: Account): string {
  return `${quote(user)}@${quote(host)}`
}

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``
