import { type Conditions, type Findings, type Trial, Unavailable } from './trial.ts'
import { TRIALS } from './trials.ts'

/** What a trial's process is told, as JSON; the folder is there already. */
export type Order = Omit<Conditions, 'progress'> & { readonly trial: string }

/** How a trial ended, with all that is to be told of it; skipped is what could not be tried here. */
export type Report = {
  readonly verdict: 'passed' | 'failed' | 'skipped'
  readonly lines: readonly string[]
}

/** How many faults of a trial are told. */
const TOLD = 20

/** A trial is a process of its own: what one reckons may not hold up the clocks of another. */
const { trial: name, ...conditions }: Order = JSON.parse(process.argv[2] ?? '')
// Nor does it go on when nobody waits for it any more.
process.once('disconnect', () => process.exit(1))
for (const trial of TRIALS) if (trial.name === name) await tell(await attempt(trial))
// What a trial that failed left running ends here.
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
    ...faults.slice(0, TOLD).map((fault) => `FAULT ${fault}`),
    ...(faults.length > TOLD ? [`FAULT and ${faults.length - TOLD} more`] : []),
  ]
}

function tell(report: Report): Promise<void> {
  return new Promise((done) => process.send?.(report, () => done()))
}
