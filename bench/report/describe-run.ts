import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'

/** When, where and with what was measured. */
export type RunDescription = {
  readonly date: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly commit: string
  readonly secondsEach: number
  readonly fpmWorkers: number
}

/** What can be told of a run before it begins: the machine and how busy it is with other things, the code. */
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

/** Says so where the machine has too much else to do for figures that mean something. */
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
  /** Programs that wanted a core in the minute before: anything above 0 is others' work. */
  readonly load: number
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
