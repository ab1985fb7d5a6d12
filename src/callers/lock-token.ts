import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { TOKEN_COLUMNS, type Token, type TokenRow, tokensTable } from './tokens-table.ts'

/** The token with this id, its row locked until the transaction ends; undefined where none was issued. */
export function lockToken(tx: Tx, globals: GlobalTables, id: number): Promise<Token | undefined> {
  return tx
    .sql<TokenRow>(tokensTable(globals))
    .select(...TOKEN_COLUMNS)
    .where({ id })
    .forUpdate()
    .first()
}
