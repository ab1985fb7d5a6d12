import type { Ask, ContenderName } from '../contender.ts'
import type { Stage } from '../stage/stage.ts'

/** One kind of work that the contenders are given. */
export type Workload = {
  /** By which it is chosen, and found in the results: `menu-read-50`. */
  readonly name: string
  readonly title: string
  /** Who is given it. */
  readonly contenders: readonly ContenderName[]
  /** What the service has to reach: its requests a second by those of the others. */
  readonly targets: Partial<Record<Exclude<ContenderName, 'service'>, number>>
  /** How many requests are under way at once. */
  readonly connections: number
  /** The status of a right answer. */
  readonly status: number
  /** Sets the scene for all, and gives the requests that are sent in turn. */
  prepare(stage: Stage): Promise<readonly Ask[]>
}

const READERS = 10

/** A read: the same bytes from the service and the floor, the same data from WordPress. */
export function read(
  name: string,
  title: string,
  prepare: Workload['prepare'],
  more: Partial<Workload> = {},
): Workload {
  return {
    name,
    title,
    contenders: ['service', 'floor', 'wordpress'],
    targets: { wordpress: 50, floor: 0.6 },
    connections: READERS,
    status: 200,
    prepare,
    ...more,
  }
}
