import { setTimeout as sleep } from 'node:timers/promises'
import { cutConnections } from '../disruptions/disruption.ts'
import type { Deployment } from '../support/deployment.ts'
import type { TortureFixture } from '../support/torture-fixture.ts'

/** What happens in the middle of edits. */
export type EditDisruption = {
  readonly name: string
  /** Whether requests may fail meanwhile. */
  readonly refuses: boolean
  /** Whether edits may fail meanwhile. */
  readonly stopsEdits?: true
  /** Resolves when it is over. @throws Error if it has no effect */
  inflict(): Promise<unknown>
}

const POLL_MS = 20
/** How long new connections write statements to the binlog, in milliseconds. */
const STATEMENTS_MS = 1000
/**
 * A process follows the feed within this time, in milliseconds: one that begins while the server does not write rows looks again after a minute
 * (`permanentPauseMs`), and the poll works meanwhile.
 */
const FEED_START_MS = 70_000

/** @param hasFeed whether a process follows the binlog */
export function editDisruptions(
  fixture: TortureFixture,
  deployment: Deployment,
  hasFeed: boolean,
): EditDisruption[] {
  const { server } = fixture
  return [
    ...deployment.names.map((name) => ({
      name: `kill of ${name}`,
      refuses: true,
      inflict: async () => {
        await deployment.kill(name)
        await deployment.restart(name)
      },
    })),
    ...(hasFeed ? [feedDisruption(fixture), formatDisruption(fixture)] : []),
    {
      name: 'kill of the database',
      refuses: true,
      stopsEdits: true,
      inflict: async () => {
        await server.kill()
        await server.start()
      },
    },
    { name: 'no disruption', refuses: false, inflict: async () => {} },
  ]
}

function feedDisruption(fixture: TortureFixture): EditDisruption {
  return {
    name: "kill of the feed's connection",
    refuses: false,
    inflict: async () => {
      const end = performance.now() + FEED_START_MS
      for (;;) {
        const [rows] = await fixture.db.sql.raw(
          "SELECT id AS id FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'",
        )
        const ids = rows.map(({ id }: { id: number }) => id)
        if (ids.length > 0) return cutConnections(fixture, ids)
        if (performance.now() > end) throw new Error('no process follows the feed')
        await sleep(POLL_MS)
      }
    },
  }
}

/** PHP connects for each request, so its next ones write statements. */
function formatDisruption({ db }: TortureFixture): EditDisruption {
  return {
    name: 'a binlog of statements',
    refuses: false,
    inflict: async () => {
      await db.sql.raw('SET GLOBAL binlog_format = MIXED')
      await sleep(STATEMENTS_MS)
      await db.sql.raw("SET GLOBAL binlog_format = 'ROW'")
    },
  }
}
