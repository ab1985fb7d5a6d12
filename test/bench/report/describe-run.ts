import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** Date, commit and machine of a run. */
export type RunDescription = {
  readonly date: string
  readonly commit: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly memoryGigabytes: number
    /** Load average of the last minute: before the run, anything above 0 is the work of other programs. */
    readonly load: number
  }
}

export const describeRun = (): RunDescription => ({
  date: new Date().toISOString().slice(0, 10),
  commit: commit(),
  machine: {
    processor: cpus()[0]?.model.trim() ?? '',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
    load: loadavg()[0] ?? 0,
  },
})

/** Date and machine, as a table begins. */
export const runSentence = ({ date, machine }: RunDescription, sharedBy: string): string =>
  `${date}, ${machine.cores} cores of ${machine.processor}, ${machine.memoryGigabytes} GB, shared by ${sharedBy}`

/** A warning if the machine is too busy for meaningful figures. */
export function busyWarning({ machine: { cores, load } }: RunDescription): string | undefined {
  if (load < cores / 4) return undefined
  return `This machine is busy (load ${load.toFixed(1)} on ${cores} cores): measure again when it is not.`
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
