import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { database } from './database.ts'
import { disk } from './disk.ts'
import { galera } from './galera.ts'
import { kill } from './kill.ts'
import { type Conditions, type Findings, type Trial, Unavailable } from './trial.ts'

const TRIALS: readonly Trial[] = [kill, database, disk, galera]

const DATA = resolve(import.meta.dirname, '../.data/torture')
/** How many faults of a trial are told. */
const TOLD = 20

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Whether a trial was passed, or could not be tried here. */
type Verdict = 'passed' | 'failed' | 'skipped'

async function attempt(trial: Trial, conditions: Omit<Conditions, 'folder'>): Promise<Verdict> {
  print(`\n${trial.name}: ${trial.tries}`)
  await mkdir(DATA, { recursive: true })
  const folder = await mkdtemp(join(DATA, `${trial.name}-`))
  const began = performance.now()
  try {
    const findings = await trial.run({ ...conditions, folder })
    tell(findings)
    print(`  ${Math.round((performance.now() - began) / 1000)} s, ${findings.faults.length} faults`)
    return findings.faults.length === 0 ? 'passed' : 'failed'
  } catch (error) {
    if (error instanceof Unavailable) {
      print(`  skipped: ${error.message}`)
      return 'skipped'
    }
    print(`  FAULT ${error instanceof Error ? error.stack : String(error)}`)
    return 'failed'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function tell({ figures, faults }: Findings): void {
  for (const [name, value] of Object.entries(figures)) print(`  ${name}: ${value}`)
  for (const fault of faults.slice(0, TOLD)) print(`  FAULT ${fault}`)
  if (faults.length > TOLD) print(`  FAULT and ${faults.length - TOLD} more`)
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 }

function readDuration(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  const seconds = SECONDS[unit]
  if (number === undefined || seconds === undefined)
    throw new Error(`"${text}" is no duration: write 90s, 20m or 1h.`)
  return Number(number) * seconds * 1000
}

const command = new Command('torture')
  .description('does harm to the service and prints what it stood')
  .argument(
    '[trial...]',
    `of ${TRIALS.map(({ name }) => name).join(', ')}; all where none is named`,
  )
  .option('--short', 'a few injuries of each kind, in about a minute')
  .option('--soak <duration>', 'how long the soak lasts', readDuration)
  .option('--seed <number>', 'what chance is made of', Number, Date.now() % 1_000_000)
  .parse()
const {
  short = false,
  soak,
  seed,
} = command.opts<{
  short?: boolean
  soak?: number
  seed: number
}>()
const unknown = command.args.filter((name) => !TRIALS.some((trial) => trial.name === name))
if (unknown.length > 0) command.error(`There is no trial ${unknown.join(', ')}.`)
const soakMs = soak ?? (short ? 10_000 : 300_000)
print(`seed ${seed}`)
const counts = { passed: 0, failed: 0, skipped: 0 }
for (const trial of TRIALS) {
  if (command.args.length > 0 && !command.args.includes(trial.name)) continue
  const progress = (line: string) => print(`  ... ${line}`)
  counts[await attempt(trial, { short, soakMs, seed, progress })] += 1
}
const { passed, failed, skipped } = counts
print(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
// What a trial that failed left running ends here.
process.exit(failed > 0 ? 1 : 0)
