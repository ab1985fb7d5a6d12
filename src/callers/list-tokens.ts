import type { Db } from '../db/database.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { TOKEN_COLUMNS, type Token, type TokenRow, tokensTable } from './tokens-table.ts'

/** All tokens that were ever issued, or those of one user, by id. */
export async function listTokens(db: Db, globals: GlobalTables, userId?: number): Promise<Token[]> {
  return db
    .sql<TokenRow>(tokensTable(globals))
    .select(...TOKEN_COLUMNS)
    .where(userId === undefined ? {} : { user_id: userId })
    .orderBy('id')
}
