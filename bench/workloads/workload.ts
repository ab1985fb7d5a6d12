import type { Ask, ContenderName } from '../contender.ts'
import type { Stage } from '../stage/stage.ts'

/** One kind of work that the contenders are given. */
export type Workload = {
  /** By which it is chosen, and found in the results: `menu-read-50`. */
  readonly name: string
  readonly title: string
  /** Who is given it, and what their answers have in common with the service's. */
  readonly contenders: Partial<Record<ContenderName, Likeness>>
  /** What the service has to reach. */
  readonly targets: Targets
  /** How many requests are under way at once. */
  readonly connections: number
  /** The status of a right answer. */
  readonly status: number
  /** For a contender that would take too long: its figures at another workload, which is so many times smaller. */
  readonly scaled?: Partial<
    Record<ContenderName, { readonly name: string; readonly times: number }>
  >
  /** Sets the scene for all. */
  prepare(stage: Stage): Promise<Scene>
}

/** The same bytes; the same data, as JSON can be written in several ways; or only the same status. */
export type Likeness = 'bytes' | 'data' | 'status'

export type Targets = {
  /** The service's requests a second by WordPress's. */
  readonly wordpress?: number
  /** The service's requests a second by the floor's. */
  readonly floor?: number
  /** Milliseconds. */
  readonly p99?: number
}

export type Scene = {
  /** Sent in turn. */
  readonly asks: readonly Ask[]
  /** Sent in turn by one more client all the while, and not measured. */
  readonly meanwhile?: readonly Ask[]
}

const READERS = 10

/** A read: the same bytes from the service and the floor, the same data from WordPress. */
export function read(
  name: string,
  title: string,
  prepare: (stage: Stage) => Promise<Ask>,
  more: Partial<Workload> = {},
): Workload {
  return {
    name,
    title,
    contenders: { service: 'bytes', floor: 'bytes', wordpress: 'data', cached: 'data' },
    targets: { wordpress: 50, floor: 0.6 },
    connections: READERS,
    status: 200,
    prepare: async (stage) => ({ asks: [await prepare(stage)] }),
    ...more,
  }
}

/** Writes, one after the other. */
export function write(
  name: string,
  title: string,
  prepare: (stage: Stage) => Promise<readonly Ask[]>,
  more: Partial<Workload> = {},
): Workload {
  return {
    name,
    title,
    contenders: { service: 'status', wordpress: 'status' },
    targets: {},
    connections: 1,
    status: 200,
    prepare: async (stage) => ({ asks: await prepare(stage) }),
    ...more,
  }
}
