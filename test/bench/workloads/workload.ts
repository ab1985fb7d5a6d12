import type { Ask, Contender, ContenderName } from '../contender.ts'
import type { BenchDatabase } from '../setup/open-database.ts'

/** What workloads use to prepare their data: the database, and the service for everything that it can write. */
export type BenchSetup = {
  readonly database: BenchDatabase
  readonly service: Contender
  /** Folder of the service's static copies. */
  readonly staticDir: string
}

/** One kind of work that the contenders do. */
export type Workload = {
  /** Its name in the options and in the results: `menu-read-50`. */
  readonly name: string
  readonly title: string
  /** The contenders that run it, and how their answers must match the service's. */
  readonly contenders: Partial<Record<ContenderName, Likeness>>
  /** Targets of the service. */
  readonly targets: Targets
  /** Targets with a remote database [none]. */
  readonly remoteTargets?: Targets
  /** Number of concurrent requests. */
  readonly connections: number
  /** The required status of the answers. */
  readonly status: number
  /** Creates the data of the workload and returns its requests, which are sent in a cycle. */
  prepare(setup: BenchSetup): Promise<readonly Ask[]>
  /** Undoes what would change later workloads. Their frames and menus are replaced anyway. */
  cleanUp?(setup: BenchSetup): Promise<void>
}

/** The same bytes; the same data, because JSON can be formatted in several ways; or only the same status. */
type Likeness = 'bytes' | 'data' | 'status'

type Targets = {
  /** Ratio of the service's requests per second to those of WordPress, and of Express with one statement. */
  readonly wordpress?: number
  readonly express?: number
  /** In milliseconds. */
  readonly p50?: number
  readonly p99?: number
  /** Round trips to the database for each request. */
  readonly roundTrips?: number
}

const READERS = 10

/** For a read that is compared with Express alone. */
export const againstExpress: Pick<Workload, 'contenders' | 'targets'> = {
  contenders: { service: 'bytes', express: 'bytes', wordpress: 'data', cached: 'data' },
  targets: { express: 0.5 },
}

/** A read: the same data from the service and WordPress. */
export function read(
  name: string,
  title: string,
  prepare: (setup: BenchSetup) => Promise<Ask | readonly Ask[]>,
  more: Partial<Workload> = {},
): Workload {
  return {
    name,
    title,
    contenders: { service: 'bytes', wordpress: 'data', cached: 'data' },
    targets: {},
    connections: READERS,
    status: 200,
    prepare: async (setup) => [await prepare(setup)].flat(),
    ...more,
  }
}

/** Writes, one after the other. */
export function write(
  name: string,
  title: string,
  prepare: (setup: BenchSetup) => Promise<readonly Ask[]>,
  more: Partial<Workload> = {},
): Workload {
  return {
    name,
    title,
    contenders: { service: 'status', wordpress: 'status' },
    targets: {},
    connections: 1,
    status: 200,
    prepare,
    ...more,
  }
}
