import { type Conditions, type Findings, type Trial, Unavailable } from './trial.ts'
import { TRIALS } from './trials.ts'

/** The argument of a trial's process, as JSON. The folder exists already. */
export type Order = Omit<Conditions, 'progress'> & { readonly trial: string }

/** The result of a trial. `skipped`: the machine lacks something that the trial needs. */
export type Report = {
  readonly verdict: 'passed' | 'failed' | 'skipped'
  readonly lines: readonly string[]
}

/** Maximum number of faults in the report of a trial. */
const MAX_REPORTED_FAULTS = 20

/** Each trial runs in its own process, so that the computations of one do not delay the timers of another. */
const { trial: name, ...conditions }: Order = JSON.parse(process.argv[2] ?? '')
// Ends when its parent process has ended.
process.once('disconnect', () => process.exit(1))
for (const trial of TRIALS) if (trial.name === name) await send(await attempt(trial))
// Ends everything that a failed trial left running.
process.exit()

async function attempt(trial: Trial): Promise<Report> {
  const progress = (line: string) => void process.stderr.write(`  ... ${name}: ${line}\n`)
  const began = performance.now()
  try {
    progress(trial.tries)
    const findings = await trial.run({ ...conditions, progress })
    const seconds = Math.round((performance.now() - began) / 1000)
    const { length } = findings.faults
    const lines = [trial.tries, ...linesOf(findings), `${seconds} s, ${length} faults`]
    return { verdict: length === 0 ? 'passed' : 'failed', lines }
  } catch (error) {
    if (error instanceof Unavailable)
      return { verdict: 'skipped', lines: [`skipped: ${error.message}`] }
    const why = error instanceof Error ? error.stack : String(error)
    return { verdict: 'failed', lines: [`FAULT ${why}`] }
  }
}

function linesOf({ figures, faults }: Findings): string[] {
  return [
    ...Object.entries(figures).map(([name, value]) => `${name}: ${value}`),
    ...faults.slice(0, MAX_REPORTED_FAULTS).map((fault) => `FAULT ${fault}`),
    ...(faults.length > MAX_REPORTED_FAULTS
      ? [`FAULT and ${faults.length - MAX_REPORTED_FAULTS} more`]
      : []),
  ]
}

function send(report: Report): Promise<void> {
  return new Promise((done) => process.send?.(report, () => done()))
}
