import type { Contender } from '../contender.ts'
import type { BenchDatabase } from './open-database.ts'

/** What workloads use to prepare their data: the database, and the service for everything that it can write. */
export type BenchSetup = {
  readonly database: BenchDatabase
  readonly service: Contender
  /** Folder of the service's static copies. */
  readonly staticDir: string
}
