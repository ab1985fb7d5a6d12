import type { Contender } from '../contender.ts'
import type { StageDatabase } from './open-database.ts'

/** What workloads prepare: the database, and the service, through which they write what it can write. */
export type Stage = {
  readonly database: StageDatabase
  readonly service: Contender
  /** Where the service keeps static copies. */
  readonly staticDir: string
}
