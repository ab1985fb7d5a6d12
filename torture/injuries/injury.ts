import type { Stage } from '../support/stage.ts'

/** One harm that is done to the database while it is at work. */
export type Injury = {
  readonly name: string
  /** How long it lasts at least, in milliseconds, for what it does to come about. */
  readonly lasts?: number
  /** Left out where there is little time. */
  readonly takesLong?: true
  /** Whether reads go on: they must not be refused then. */
  readonly spares?: 'reads'
  /**
   * Does it, and gives what takes it back, which may tell how much was done.
   * @throws Unavailable where the machine lacks what it takes
   */
  inflict(stage: Stage): Promise<Heal>
}

export type Heal = () => Promise<string | undefined>

/** The account that the service uses. */
export const SERVICE_USER = 'service'

/** The ids of the service's connections. */
export async function serviceConnections({ db }: Stage): Promise<number[]> {
  const [rows] = await db.sql.raw('SELECT id FROM information_schema.processlist WHERE user = ?', [
    SERVICE_USER,
  ])
  return rows.map(({ id }: { id: number }) => id)
}

/** Cuts the service's connections. */
export async function cutConnections(stage: Stage, ids: readonly number[]): Promise<void> {
  // One that has ended by itself can't be cut any more.
  for (const id of ids) await stage.db.sql.raw(`KILL ${id}`).catch(() => {})
}
