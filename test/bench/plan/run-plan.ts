import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadNetwork } from '../../support/load-network.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { createSites, planNetwork } from '../freshness/network/create-network.ts'
import {
  DATABASE_NAME,
  openNetworkDatabase,
  startNetworkServer,
} from '../freshness/network/network-server.ts'
import { tableOf } from '../freshness/network/site-tables.ts'
import { QueryCount } from '../load/query-count.ts'
import { REMOTE_DELAY_MS, startProxy } from '../remote/start-proxy.ts'
import { figure } from '../report/figure.ts'
import { roundTripsVerdict } from '../report/verdicts.ts'
import type { Undo } from '../setup/undo.ts'
import { type CommandRun, CommandRunner } from './run-command.ts'

const FRAMES = 200
/** Pages of the largest site; no page is on a described frame. */
const PAGES = 10
const KILLS = 5
/** Targets of round trips for each site; an apply plans, stores the plan and applies it. */
const ROUND_TRIPS = { firstApply: 12, rollback: 12 }
/** A command is killed at a random time after its start, in milliseconds: early enough that five kills leave something to do. */
const START_MS = 1500
const KILL_AFTER_MS_PER_SITE = 8
/** Sites on which another program edits a frame. */
const EDITED = 3

/**
 * Measures plan, apply, drift and rollback of a description with 200 frames for all sites of a generated network, and the doctor: `apply` is killed
 * five times.
 * @param sites number of sites
 * @param remote whether each direction to the database is delayed
 */
export async function runPlan(undo: Undo, sites: number, remote: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-plan-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const server = await startNetworkServer(folder, undo, { binlog: 'none', isDurable: true })
  await loadNetwork(server.serverUrl, DATABASE_NAME)
  const db = openNetworkDatabase(server, undo)
  const network = planNetwork({ sites, pages: PAGES })
  await createSites(db, network, console.log)
  const siteCount = await countSites(db)
  const described = join(folder, 'described')
  const proxy = await startProxy(server.url, remote ? REMOTE_DELAY_MS : 0, folder, undo)
  const commands = new CommandRunner(proxy, new QueryCount(db), undo)
  const run = async (title: string, ...args: string[]): Promise<CommandRun> => {
    const done = await commands.run(args)
    console.log(`${title.padEnd(44)} ${lineOf(done, siteCount)}`)
    return done
  }

  describe(described, 1)
  const first = await run(
    'first apply, all frames created',
    'apply',
    described,
    '--no-wait',
    '--yes',
  )
  await run('plan with nothing to do', 'plan', described, '--exit-code')
  describe(described, 2)
  await run('plan, all frames changed', 'plan', described, '--out', join(folder, 'plan.json'))
  const apply = ['apply', described, '--no-wait', '--yes']
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const killed = await commands.run(apply, {
      killAfterMs: START_MS + sites * KILL_AFTER_MS_PER_SITE * Math.random(),
    })
    console.log(
      `  kill -9 after ${figure(killed.ms / 1000)} s: ${await countOf(db, 2, network.clones)} sites changed`,
    )
  }
  await run('apply continued to its end', ...apply)
  // All of them are one run; the last command has then planned again, and had nothing left to do.
  const { output } = await commands.run(['runs', '--json'])
  const runs: readonly { readonly id: string; readonly steps: number }[] = JSON.parse(output)
  const runId = runs.find(({ steps }) => steps > 0)?.id ?? ''
  await run('plan after apply', 'plan', described, '--exit-code')
  await edit(db, network.clones.slice(0, EDITED))
  const drift = await run('drift', 'drift', 'bench', '--exit-code')
  console.log(drift.output.split('\n').slice(-12).join('\n'))
  const rollback = await run('rollback', 'rollback', runId, '--no-wait')
  describe(described, 1)
  await run('plan of the former description', 'plan', described, '--exit-code')
  await run('doctor of the network', 'doctor', '--network')
  const verdicts = [
    roundTripsVerdict('first apply', ROUND_TRIPS.firstApply, first.roundTrips / siteCount),
    roundTripsVerdict('rollback', ROUND_TRIPS.rollback, rollback.roundTrips / siteCount),
  ]
  console.log(`\n${verdicts.map(({ sentence }) => sentence).join('\n')}`)
}

const lineOf = (
  { code, ms, statements, roundTrips, peakBytes }: CommandRun,
  sites: number,
): string =>
  `exit ${code}, ${figure(ms / 1000)} s, ${figure(statements / sites)} statements and ${figure(roundTrips / sites)} round trips per site, ${Math.round(peakBytes / 1e6)} MB`

/** The sites of the network that can be described: those of the test network too. */
async function countSites({ sql }: SqlDatabase): Promise<number> {
  const [row] = await sql('wp_blogs').where({ archived: '0', spam: 0, deleted: 0 }).count()
  return Number(Object.values(row ?? {})[0])
}

const slugOf = (at: number): string => `part-${String(at).padStart(3, '0')}`

const markupOf = (at: number, edition: number): string =>
  `<section class="${slugOf(at)}"><h2>Part ${at}, edition ${edition}</h2>\n${'<p>Some text of a page.</p>\n'.repeat(20)}</section>\n`

function describe(folder: string, edition: number): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'frames'), { recursive: true })
  for (let at = 0; at < FRAMES; at += 1)
    writeFileSync(join(folder, 'frames', `${slugOf(at)}.html`), markupOf(at, edition))
  writeFileSync(
    join(folder, 'network.yaml'),
    `version: 1
name: bench
bundles:
  parts:
    frames: frames/*.html
sites:
  - match: { address: "*" }
    bundles: [parts]
`,
  )
}

/** The number of these sites that have an edition of one of the frames. */
async function countOf(
  db: SqlDatabase,
  edition: number,
  sites: readonly { blogId: number }[],
): Promise<number> {
  const [rows] = await db.sql.raw(
    sites
      .map(
        ({ blogId }) =>
          `SELECT 1 FROM ${tableOf(blogId, 'options')} WHERE option_name LIKE 'svc\\_frame\\_%' AND option_name NOT LIKE '%\\_meta' AND option_value LIKE '%Part 7, edition ${edition}%'`,
      )
      .join(' UNION ALL '),
  )
  return rows.length
}

/** Edits a frame on each of these sites, as a script in PHP does. */
async function edit(db: SqlDatabase, sites: readonly { blogId: number }[]): Promise<void> {
  for (const { blogId } of sites)
    await db
      .sql(tableOf(blogId, 'options'))
      .where('option_value', 'like', '%Part 7, edition 2%')
      .update({ option_value: db.sql.raw("REPLACE(option_value, 'Part 7,', 'Part X,')") })
}
