import type { Db } from '../../src/db/database.ts'

/** The statement that asks is one of those it counts. */
const OWN = 1

/** How many statements the server has taken from clients so far (its status variable `Questions`), ours left out. */
export class QueryCount {
  readonly #db: Db
  #asked = 0

  constructor(db: Db) {
    this.#db = db
  }

  async read(): Promise<number> {
    const [[row]] = await this.#db.sql.raw("SHOW GLOBAL STATUS LIKE 'Questions'")
    this.#asked += OWN
    return Number(row.Value) - this.#asked
  }
}
