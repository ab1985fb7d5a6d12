import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { gmtText } from '../wordpress/dates.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { type TokenRow, tokensTable } from './tokens.ts'

const MIN_RECORD_INTERVAL_MS = 60_000

/** Records when a token was last used: at most once per minute and token, and without delaying the request. */
export class TokenUse {
  readonly #recordedAt = new Map<number, number>()
  readonly #db: Database
  readonly #globals: GlobalTables
  readonly #log: Log

  constructor(db: Database, globals: GlobalTables, log: Log) {
    this.#db = db
    this.#globals = globals
    this.#log = log
  }

  record(tokenId: number, now: Date): void {
    if (now.getTime() - (this.#recordedAt.get(tokenId) ?? 0) < MIN_RECORD_INTERVAL_MS) return
    this.#recordedAt.set(tokenId, now.getTime())
    this.#write(tokenId, now).catch((error: unknown) =>
      this.#log.warn({ err: error, tokenId }, 'could not record the last use of a token'),
    )
  }

  /** The condition is checked in the table, because another instance may have recorded the use. */
  async #write(tokenId: number, now: Date): Promise<void> {
    const before = gmtText(new Date(now.getTime() - MIN_RECORD_INTERVAL_MS))
    await this.#db.write({}, (tx) =>
      tx
        .sql<TokenRow>(tokensTable(this.#globals))
        .where({ id: tokenId })
        .andWhere((row) => row.whereNull('last_used_at').orWhere('last_used_at', '<=', before))
        .update({ last_used_at: gmtText(now) }),
    )
  }
}
