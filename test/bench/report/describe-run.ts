import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'

/** Date, machine and versions of a run. */
export type RunDescription = {
  readonly date: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly commit: string
  readonly secondsEach: number
  readonly fpmWorkers: number
  /** Delay of each direction to the database, if there was one. */
  readonly remoteDelayMs?: number
}

/** The parts of a description that are known before the run: the machine with its load, and the commit. */
export function describeMachine(): Pick<RunDescription, 'date' | 'machine' | 'commit'> {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: {
      processor: cpus()[0]?.model.trim() ?? '',
      cores: availableParallelism(),
      memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
      system: `Linux ${release()}`,
      load: loadavg()[0] ?? 0,
    },
    commit: commit(),
  }
}

/** A warning if the machine is too busy for meaningful figures. */
export function busyWarning({
  machine: { cores, load },
}: {
  machine: Machine
}): string | undefined {
  if (load < cores / 4) return undefined
  return `This machine is busy (load ${load.toFixed(1)} on ${cores} cores): measure again when it is not.`
}

type Machine = {
  readonly processor: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly system: string
  /** Load average of the last minute: anything above 0 is the work of other programs. */
  readonly load: number
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
