import type { Pool } from 'mysql2/promise'

/** A request that may be answered: for which site, and the options that answers are made of. */
export type Scope = {
  readonly pool: Pool
  readonly blogId: number
  readonly prefix: string
  /** Without a slash at its end. */
  readonly home: string
  readonly options: ReadonlyMap<string, string>
}
