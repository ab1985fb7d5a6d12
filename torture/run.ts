import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { access } from './access.ts'
import { database } from './database.ts'
import { disk } from './disk.ts'
import { galera } from './galera.ts'
import { hostile } from './hostile.ts'
import { kill } from './kill.ts'
import { soak } from './soak.ts'
import { type Conditions, type Findings, type Trial, Unavailable } from './trial.ts'
import { writers } from './writers.ts'

const TRIALS: readonly Trial[] = [...[kill, database, disk, writers, galera, hostile, access, soak]]
/** Everything together takes less than 20 minutes with this. */
const SOAK_MS = { short: 5_000, full: 180_000 }

const DATA = resolve(import.meta.dirname, '../.data/torture')
/** How many faults of a trial are told. */
const TOLD = 20
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Whether a trial was passed, or could not be tried here. */
type Verdict = 'passed' | 'failed' | 'skipped'

async function attempt(trial: Trial, conditions: Omit<Conditions, 'folder'>): Promise<Verdict> {
  print(`\n${trial.name}: ${trial.tries}`)
  const folder = join(DATA, String(process.pid), trial.name)
  mkdirSync(folder, { recursive: true })
  const began = performance.now()
  try {
    const findings = await trial.run({ ...conditions, folder })
    tell(findings)
    const seconds = Math.round((performance.now() - began) / 1000)
    print(`  ${seconds} s, ${findings.faults.length} faults`)
    return findings.faults.length === 0 ? 'passed' : 'failed'
  } catch (error) {
    const isUnavailable = error instanceof Unavailable
    if (isUnavailable) print(`  skipped: ${error.message}`)
    else print(`  FAULT ${error instanceof Error ? error.stack : String(error)}`)
    return isUnavailable ? 'skipped' : 'failed'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tell({ figures, faults }: Findings): void {
  for (const [name, value] of Object.entries(figures)) print(`  ${name}: ${value}`)
  for (const fault of faults.slice(0, TOLD)) print(`  FAULT ${fault}`)
  if (faults.length > TOLD) print(`  FAULT and ${faults.length - TOLD} more`)
}

function readDuration(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  const milliseconds = Number(number) * (UNITS_MS[unit] ?? 0)
  if (milliseconds > 0) return milliseconds
  throw new InvalidArgumentError('Write a duration as 90s, 20m or 1h.')
}

/** What runs that were killed left behind; their folders bear their process ids. */
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

const names = TRIALS.map(({ name }) => name)
const command = new Command('torture')
  .description('does harm to the service and prints what it stood')
  .argument('[trial...]', `of ${names.join(', ')}; all where none is named`)
  .option('--short', 'a few injuries of each kind', false)
  .option('--soak <duration>', 'how long the soak lasts [3m]', readDuration)
  .option('--seed <number>', 'what chance is made of', Number, Date.now() % 1_000_000)
  .parse()
const options = command.opts<{ short: boolean; soak?: number; seed: number }>()
const chosen = command.args.length > 0 ? command.args : names
for (const name of chosen) {
  if (!names.includes(name)) command.error(`There is no trial "${name}": ${names.join(', ')}.`)
}
const { short, seed } = options
const soakMs = options.soak ?? (short ? SOAK_MS.short : SOAK_MS.full)
const progress = (line: string) => print(`  ... ${line}`)
print(`seed ${seed}`)
removeLeftovers()
const counts = { passed: 0, failed: 0, skipped: 0 }
for (const trial of TRIALS.filter(({ name }) => chosen.includes(name))) {
  counts[await attempt(trial, { short, soakMs, seed, progress })] += 1
}
rmSync(join(DATA, String(process.pid)), { recursive: true, force: true })
const { passed, failed, skipped } = counts
print(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
// What a trial that failed left running ends here.
process.exit(failed > 0 ? 1 : 0)
