import type { Pool } from 'mysql2/promise'

/** An authorized request: its site, and the options that the answers need. */
export type Scope = {
  readonly pool: Pool
  readonly blogId: number
  readonly prefix: string
  /** Without a slash at the end. */
  readonly home: string
  readonly options: ReadonlyMap<string, string>
  /** For the history; read for writes only. */
  readonly author: { readonly userId: number; readonly tokenId: number; readonly label: string }
}
