import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LANES } from './lanes.ts'
import { type Conditions, type Findings, type Trial, Unavailable } from './trial.ts'

/** What a lane is to do, given to its process as JSON. */
export type Lane = Omit<Conditions, 'folder' | 'progress'> & {
  readonly trials: readonly string[]
  /** The folder in which each trial gets its own. */
  readonly folder: string
}

/** How a trial ended, with all that is to be told of it; skipped is what could not be tried here. */
export type Report = {
  readonly name: string
  readonly verdict: 'passed' | 'failed' | 'skipped'
  readonly lines: readonly string[]
}

/** How many faults of a trial are told. */
const TOLD = 20

/** A lane is a process of its own: what one trial reckons may not hold up the clocks of another. */
const { trials, folder, ...conditions }: Lane = JSON.parse(process.argv[2] ?? '')
for (const trial of LANES.flat().filter(({ name }) => trials.includes(name)))
  await tell(await attempt(trial))
// What a trial that failed left running ends here.
process.exit()

async function attempt(trial: Trial): Promise<Report> {
  const { name } = trial
  const own = join(folder, name)
  const progress = (line: string) => void process.stderr.write(`  ... ${name}: ${line}\n`)
  const began = performance.now()
  mkdirSync(own)
  try {
    progress(trial.tries)
    const findings = await trial.run({ ...conditions, folder: own, progress })
    const seconds = Math.round((performance.now() - began) / 1000)
    const { length } = findings.faults
    const lines = [trial.tries, ...linesOf(findings), `${seconds} s, ${length} faults`]
    return { name, verdict: length === 0 ? 'passed' : 'failed', lines }
  } catch (error) {
    if (error instanceof Unavailable)
      return { name, verdict: 'skipped', lines: [`skipped: ${error.message}`] }
    const why = error instanceof Error ? error.stack : String(error)
    return { name, verdict: 'failed', lines: [`FAULT ${why}`] }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

function linesOf({ figures, faults }: Findings): string[] {
  return [
    ...Object.entries(figures).map(([name, value]) => `${name}: ${value}`),
    ...faults.slice(0, TOLD).map((fault) => `FAULT ${fault}`),
    ...(faults.length > TOLD ? [`FAULT and ${faults.length - TOLD} more`] : []),
  ]
}

function tell(report: Report): Promise<void> {
  return new Promise((done) => process.send?.(report, () => done()))
}
