import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSize, readFolderSize, readTableSizes } from '../../torture/support/stored-sizes.ts'
import { isMet, shows } from '../freshness/copy-watch.ts'
import { newMark } from '../freshness/measure-edit.ts'
import { copyFile } from '../freshness/measured-site.ts'
import { footerMarkup } from '../generated/site-frames.ts'
import { FEED, startWatching } from '../generated/start-watching.ts'
import { resetPeaks } from '../load/process-figures.ts'
import { markup } from '../setup/content.ts'
import { untilSettled } from '../setup/pending-work.ts'
import { staticDir } from '../setup/start-service.ts'
import type { NetworkFigures } from './figures.ts'
import { memoryOf, type NetworkRun } from './measure-service.ts'
import { commandsOf } from './run-command.ts'

/** Exit code of `plan` and `drift` if there is something to change. */
const CHANGES = 2
const NEW_FRAMES = 20

/** The commands over all sites: new frames are applied and rolled back; then a frame that all pages show is planned, applied and published, and there is no drift. */
export async function measurePlan(run: NetworkRun): Promise<NetworkFigures> {
  const { running, undo, report } = run
  const { db, plan } = running
  const execute = await commandsOf(run)
  const folder = join(running.folder, 'described')
  const each = (trips: number): number => trips / plan.sites.length

  const mark = newMark()
  const names = Array.from({ length: NEW_FRAMES }, (_, at) => `new-${mark}-${at}`)
  describe(folder, 'created', new Map(names.map((name) => [name, markup(name, 2048)])))
  const created = await execute([0], 'apply', folder, '--yes', '--no-wait')
  const runs: { id: string; steps: number }[] = JSON.parse(
    (await execute([0], 'runs', '--json')).output,
  )
  const id = runs.find(({ steps }) => steps > 0)?.id ?? ''
  const rolledBack = await execute([0], 'rollback', id, '--no-wait')
  report(`applied and rolled back ${NEW_FRAMES} frames`)

  const service = await startWatching(running, FEED, undo)
  await untilSettled(db)
  describe(folder, 'changed', new Map([['site-footer', footerMarkup(mark)]]))
  const planned = await execute([0, CHANGES], 'plan', folder, '--exit-code')
  report('planned')
  resetPeaks(service.processes())
  const begin = performance.now()
  const applied = await execute([0], 'apply', folder, '--yes', '--no-wait')
  report('applied')
  await untilSettled(db)
  const published = (performance.now() - begin) / 1000
  const copies = staticDir(running.folder)
  const outdated = plan.sites.filter((site) => !isMet(shows(copyFile(copies, site), mark)))
  if (outdated.length > 0)
    throw new Error(`the front pages of ${outdated.length} sites do not show the frame`)
  const publishingMemory = memoryOf(service)
  const drift = await execute([0], 'drift', 'changed', '--exit-code')
  return {
    createTrips: each(created.roundTrips),
    rollbackTrips: each(rolledBack.roundTrips),
    plan: planned.seconds,
    planMemory: planned.megabytes,
    apply: applied.seconds,
    published,
    publishingMemory,
    drift: drift.seconds,
    ...(await measureSizes(run)),
  }
}

/** What the service keeps in the database and in its folder, once all sites are published. */
async function measureSizes({ running, report }: NetworkRun): Promise<NetworkFigures> {
  const sizes = await readTableSizes(running.db)
  for (const [name, size] of sizes) if (size.count > 0) report(`${name}: ${describeSize(size)}`)
  const folder = await readFolderSize(staticDir(running.folder))
  report(`STATIC_DIR: ${describeSize(folder)}`)
  const tables = [...sizes.values()].reduce((total, { megabytes }) => total + megabytes, 0)
  return { tables, copies: folder.megabytes }
}

/** The doctor of the network and all its sites. It finds nothing that it can fix. */
export async function measureDoctor(run: NetworkRun): Promise<NetworkFigures> {
  const execute = await commandsOf(run)
  const { seconds: doctor, megabytes: doctorMemory } = await execute([0], 'doctor', '--network')
  return { doctor, doctorMemory }
}

/** Describes frames of all generated sites. */
function describe(folder: string, name: string, frames: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'frames'), { recursive: true })
  for (const [slug, html] of frames) writeFileSync(join(folder, 'frames', `${slug}.html`), html)
  writeFileSync(
    join(folder, 'network.yaml'),
    `version: 1
name: ${name}
bundles:
  parts:
    frames: frames/*.html
sites:
  - match: { address: "*site-*" }
    bundles: [parts]
`,
  )
}
