import type { Ask, Contender, ContenderName } from '../contender.ts'
import type { BenchSetup } from '../setup/bench-setup.ts'

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
  /** For a contender that would take too long: a workload that is `times` smaller, whose figures are multiplied. */
  readonly scaled?: Partial<
    Record<ContenderName, { readonly name: string; readonly times: number }>
  >
  /** Creates the data of the workload and returns its requests. */
  prepare(setup: BenchSetup): Promise<PreparedWorkload>
  /** Asserts that these contenders store the same, before they are measured. */
  compare?(setup: BenchSetup, contenders: readonly Contender[]): Promise<void>
  /** Undoes what would change later workloads. Their frames and menus are replaced anyway. */
  cleanUp?(setup: BenchSetup): Promise<void>
}

/** The same bytes; the same data, because JSON can be formatted in several ways; or only the same status. */
type Likeness = 'bytes' | 'data' | 'status'

type Targets = {
  /** Ratio of the service's requests per second to WordPress's. */
  readonly wordpress?: number
  /** Ratio of the service's requests per second to the floor's. */
  readonly floor?: number
  /** Ratio of the service's requests per second to Express's with one statement. */
  readonly express?: number
  /** In milliseconds. */
  readonly p50?: number
  readonly p99?: number
  /** Round trips to the database for each request. */
  readonly roundTrips?: number
}

export type PreparedWorkload = {
  /** Sent in a cycle. */
  readonly asks: readonly Ask[]
  /** Sent in a cycle by one more client during the load; not measured. */
  readonly meanwhile?: readonly Ask[]
}

const READERS = 10

/** For a read that is compared with Express alone. */
export const againstExpress: Pick<Workload, 'contenders' | 'targets'> = {
  contenders: {
    service: 'bytes',
    floor: 'bytes',
    express: 'bytes',
    wordpress: 'data',
    cached: 'data',
  },
  targets: { floor: 0.6, express: 0.5 },
}

/** A read: the same bytes from the service and the floor, the same data from WordPress. */
export function read(
  name: string,
  title: string,
  prepare: (setup: BenchSetup) => Promise<Ask>,
  more: Partial<Workload> = {},
): Workload {
  return {
    name,
    title,
    contenders: { service: 'bytes', floor: 'bytes', wordpress: 'data', cached: 'data' },
    targets: { floor: 0.6 },
    connections: READERS,
    status: 200,
    prepare: async (setup) => ({ asks: [await prepare(setup)] }),
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
    prepare: async (setup) => ({ asks: await prepare(setup) }),
    ...more,
  }
}
