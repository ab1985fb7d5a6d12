import type { TortureFixture } from '../support/torture-fixture.ts'

/** One disruption of the database under load. */
export type Disruption = {
  readonly name: string
  /** Minimum duration until it has its effect, in milliseconds. */
  readonly lasts?: number
  /** Omitted in a short run. */
  readonly takesLong?: true
  /** Whether reads must be answered during it. */
  readonly spares?: 'reads'
  /**
   * Starts the disruption and returns the function that ends it, which may return a description of its extent.
   * @throws Unavailable if the machine lacks something that it needs
   */
  inflict(fixture: TortureFixture): Promise<Heal>
}

type Heal = () => Promise<string | undefined>

/** The database account of the service. */
export const SERVICE_USER = 'service'

/** The ids of the service's connections. */
export async function serviceConnections({ db }: TortureFixture): Promise<number[]> {
  const [rows] = await db.sql.raw(
    'SELECT id AS id FROM information_schema.processlist WHERE user = ?',
    [SERVICE_USER],
  )
  return rows.map(({ id }: { id: number }) => id)
}

/** Kills the service's connections. */
export async function cutConnections(
  fixture: TortureFixture,
  ids: readonly number[],
): Promise<void> {
  // A connection may have ended by itself.
  for (const id of ids) await fixture.db.sql.raw(`KILL ${id}`).catch(() => {})
}
