import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import type { StageDatabase } from '../stage/open-database.ts'
import { FPM_WORKERS } from '../wordpress/start-wordpress.ts'

/** When, where and with what was measured. */
export type RunDescription = {
  readonly date: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly memoryGigabytes: number
    readonly system: string
  }
  readonly versions: Readonly<Record<string, string>>
  readonly commit: string
  readonly secondsEach: number
  readonly fpmWorkers: number
}

/** Describes this run on this machine. */
export function describeRun({
  seconds,
  database,
  versions,
}: {
  readonly seconds: number
  readonly database: StageDatabase
  readonly versions: Readonly<Record<string, string>>
}): RunDescription {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: {
      processor: cpus()[0]?.model.trim() ?? '',
      cores: availableParallelism(),
      memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
      system: `Linux ${release()}`,
    },
    versions: {
      node: process.versions.node,
      database: database.version,
      ...versions,
    },
    commit: commit(),
    secondsEach: seconds,
    fpmWorkers: FPM_WORKERS,
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
