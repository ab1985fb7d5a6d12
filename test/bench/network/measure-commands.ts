import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  describeSize,
  readFolderSize,
  readTableSizes,
  type StoredSize,
} from '../../torture/support/stored-sizes.ts'
import { isMet, shows } from '../freshness/copy-watch.ts'
import { newMark, untilSettled } from '../freshness/measure-edit.ts'
import { SITE_FRAMES } from '../freshness/network/site-frames.ts'
import { resetPeaks } from '../load/process-figures.ts'
import { QueryCount } from '../load/query-count.ts'
import { type CommandRun, CommandRunner } from '../plan/run-command.ts'
import { staticDir } from '../setup/start-service.ts'
import type { Figures } from './figures.ts'
import { copyOfHome, type NetworkRun } from './measure-service.ts'
import { memoryOf, startMeasuredService } from './measured-service.ts'

const PUBLICATION_LIMIT_MS = 3_600_000
/** Exit code of `plan` and `drift` if there is something to change. */
const CHANGES = 2
const FRAME = 'site-footer'

/** The commands over all sites: a frame that all pages show is planned, applied and published; then there is no drift. */
export async function measurePlan(run: NetworkRun): Promise<Figures> {
  const { running, network, undo, report } = run
  const [first] = network.sites
  const service = await startMeasuredService(
    running,
    first?.blogId ?? 0,
    { name: 'feed', watchSeconds: 60 },
    undo,
  )
  const { execute } = commandsOf(run)
  const folder = join(running.folder, 'described')
  const mark = newMark()
  describe(folder, mark)
  const plan = await execute([0, CHANGES], 'plan', folder, '--exit-code')
  report(`plan ended after ${Math.round(plan.ms)} ms`)
  resetPeaks(service.pids)
  const begin = performance.now()
  const apply = await execute([0], 'apply', folder, '--yes', '--no-wait')
  report(`apply ended after ${Math.round(apply.ms)} ms`)
  await untilSettled(running.db, { limitMs: PUBLICATION_LIMIT_MS })
  const published = (performance.now() - begin) / 1000
  const outdated = network.sites.filter(
    (site) => !isMet(shows(copyOfHome(running.folder, site), mark)),
  )
  if (outdated.length > 0)
    throw new Error(`the front pages of ${outdated.length} sites do not show the frame`)
  const publishingMemory = memoryOf(service)
  const drift = await execute([0], 'drift', 'bench', '--exit-code')
  return {
    plan: plan.ms / 1000,
    planMemory: plan.peakBytes / 1e6,
    apply: apply.ms / 1000,
    published,
    publishingMemory,
    drift: drift.ms / 1000,
    ...(await measureSizes(run)),
  }
}

/** What the service keeps in the database and in its folder, once all sites are published. */
async function measureSizes({ running, report }: NetworkRun): Promise<Figures> {
  const tables = await readTableSizes(running.db)
  const folder = await readFolderSize(staticDir(running.folder))
  for (const [name, size] of tables) if (size.count > 0) report(`${name}: ${describeSize(size)}`)
  report(`STATIC_DIR: ${describeSize(folder)}`)
  const sum = (sizes: Iterable<StoredSize>) =>
    [...sizes].reduce((total, { megabytes }) => total + megabytes, 0)
  return { tables: sum(tables.values()), copies: folder.megabytes }
}

/** The doctor of the network and all its sites. It finds nothing that it can fix. */
export async function measureDoctor(run: NetworkRun): Promise<Figures> {
  const doctor = await commandsOf(run).execute([0], 'doctor', '--network')
  return { doctor: doctor.ms / 1000, doctorMemory: doctor.peakBytes / 1e6 }
}

function commandsOf({ running, undo }: NetworkRun) {
  const direct = { url: running.url, readRoundTrips: async () => 0 }
  const runner = new CommandRunner(direct, new QueryCount(running.db), undo, {
    STATIC_DIR: staticDir(running.folder),
  })
  return {
    execute: async (codes: readonly number[], ...args: readonly string[]): Promise<CommandRun> => {
      const done = await runner.run(args)
      if (!codes.includes(done.code ?? -1))
        throw new Error(`${args[0]} ended with ${done.code}: ${done.output.slice(-1000)}`)
      return done
    },
  }
}

/** Describes the frame of all sites: the one that they have, with a mark in it. */
function describe(folder: string, mark: string): void {
  mkdirSync(join(folder, 'frames'), { recursive: true })
  const html = SITE_FRAMES.find(({ slug }) => slug === FRAME)?.html ?? ''
  writeFileSync(
    join(folder, 'frames', `${FRAME}.html`),
    html.replace('</footer>', `<p>${mark}</p></footer>`),
  )
  writeFileSync(
    join(folder, 'network.yaml'),
    `version: 1
name: bench
bundles:
  parts:
    frames: frames/*.html
sites:
  - match: { address: "*site-*" }
    bundles: [parts]
`,
  )
}
