import type { Db } from '../../../src/db/database.ts'
import { sqlOf } from '../../support/statements.ts'

/** The statement that reads the counter is counted too. */
const OWN = 1

/** Counts the statements that the server has received from clients (its status variable `Questions`), without its own. */
export class QueryCount {
  readonly #db: Db
  #asked = 0

  constructor(db: Db) {
    this.#db = db
  }

  async read(): Promise<number> {
    const [[row]] = await sqlOf(this.#db).raw("SHOW GLOBAL STATUS LIKE 'Questions'")
    this.#asked += OWN
    return Number(row.Value) - this.#asked
  }
}
