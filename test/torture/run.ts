import { execFileSync, fork } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { findServerBinary } from '../../demo/private-database/find-server.ts'
import { fetchObjectStore } from '../../packages/store-s3/test/object-store.ts'
import type { Order, Report } from './run-trial.ts'
import type { CopyTargetKind } from './support/static-copies.ts'
import { TRIALS } from './trials.ts'

/** With this duration all trials take less than 20 minutes: the others run at the same time and end sooner. */
const SOAK_MS = { short: 5_000, full: 19 * 60_000 }
/** Number of concurrent trials: each waits half of the time. */
const AT_ONCE = 2

const DATA = resolve(import.meta.dirname, '../../.data/torture')
const PROGRAM = resolve(import.meta.dirname, 'run-trial.ts')
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function runTrial(order: Order): Promise<Report> {
  mkdirSync(order.folder)
  const child = fork(PROGRAM, [JSON.stringify(order)])
  let report: Report | undefined
  child.on('message', (received: Report) => {
    report = received
  })
  const code = await new Promise((ended) => child.once('exit', ended))
  report ??= { verdict: 'failed', lines: [`FAULT its process ended with ${code}`] }
  process.stderr.write(`  ... ${order.trial}: ${report.verdict}\n`)
  // At once too: a long run may be stopped before it prints all reports.
  if (report.verdict === 'failed') process.stderr.write(`${report.lines.join('\n')}\n`)
  // A database that the trial has left may still write as it ends.
  rmSync(order.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  return report
}

function readDuration(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  const milliseconds = Number(number) * (UNITS_MS[unit] ?? 0)
  if (milliseconds > 0) return milliseconds
  throw new InvalidArgumentError('Write a duration as 90s, 20m or 1h.')
}

/** Removes the folders of killed runs. The name of a folder is the process id of its run. */
function removeLeftovers(): void {
  mkdirSync(DATA, { recursive: true })
  for (const name of readdirSync(DATA).filter((pid) => !isAlive(Number(pid)))) {
    const folder = join(DATA, name)
    for (const mount of mountsBelow(folder)) execFileSync('umount', ['--lazy', mount])
    rmSync(folder, { recursive: true, force: true })
  }
}

function mountsBelow(folder: string): string[] {
  if (process.platform !== 'linux') return []
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  return mounts.flatMap((line) => line.split(' ')[1] ?? []).filter((at) => at.startsWith(folder))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const isMySql = findServerBinary(process.env.PATH)?.flavour === 'MySQL'
const command = new Command('torture')
  .description('injects failures into the service and checks that it keeps its guarantees')
  .argument('[trial...]', 'trials to run [all]')
  .option('--short', 'a few disruptions of each kind, in a minute')
  .addOption(
    new Option('--target <kind>', 'where the static copies are: an S3 server for s3')
      .choices(['folder', 's3'])
      .default('folder'),
  )
  .option('--soak <duration>', 'duration of the soak [19m]', readDuration)
  .option('--from <commit>', 'version from which the trial upgrade upgrades [the last tag]')
  .option('--seed <number>', 'seed of the random numbers [a new one each time]', Number)
  .addHelpText(
    'after',
    `\nTrials:\n${TRIALS.map(({ name, tries }) => `  ${name}: ${tries}`).join('\n')}`,
  )
  .parse()
const options = command.opts<{
  short?: true
  target: CopyTargetKind
  soak?: number
  seed?: number
  from?: string
}>()
const { short = false, target, seed = Date.now() % 1_000_000, from } = options
const names = TRIALS.filter(
  ({ needsMariaDb, targets = ['folder'] }) =>
    !(isMySql && needsMariaDb) && targets.includes(target),
).map(({ name }) => name)
const chosen = command.args.length > 0 ? command.args : names
for (const name of chosen) {
  if (!names.includes(name))
    command.error(`There is no trial "${name}" with --target ${target}: ${names.join(', ')}.`)
}
const soakMs = options.soak ?? (short ? SOAK_MS.short : SOAK_MS.full)
print(`seed ${seed}`)
if (target === 's3') await fetchObjectStore()
removeLeftovers()
const folder = join(DATA, String(process.pid))
mkdirSync(folder)
const began = performance.now()
const trials = TRIALS.filter(({ name }) => chosen.includes(name))
const waiting = trials.filter(({ runsAlone }) => !runsAlone).map(({ name }) => name)
const reports = new Map<string, Report>()
async function runWaiting(): Promise<void> {
  for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift())
    reports.set(
      trial,
      await runTrial({ trial, target, folder: join(folder, trial), short, soakMs, seed, from }),
    )
}
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting))
// Other trials would delay the answers that these measure.
waiting.push(...trials.filter(({ runsAlone }) => runsAlone).map(({ name }) => name))
await runWaiting()
rmSync(folder, { recursive: true, force: true })
const counts = { passed: 0, failed: 0, skipped: 0 }
for (const name of names) {
  const report = reports.get(name)
  if (!report) continue
  const [first, ...rest] = report.lines
  print(['', `${name}: ${first}`, ...rest.map((line) => `  ${line}`)].join('\n'))
  counts[report.verdict] += 1
}
const { passed, failed, skipped } = counts
print(`\nall in ${Math.round((performance.now() - began) / 1000)} s`)
print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 ? 1 : 0
