import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** The resources that processes have used: CPU time in milliseconds, and the sum of their peak memory in bytes. */
export type ProcessFigures = { readonly cpuMs: number; readonly peakBytes: number }

/** Linux counts time in hundredths of a second for every program (USER_HZ). */
const TICK_MS = 10
const GUARDS = new Set(['sh', 'env'])

/** A process and all its descendants, without the shells that only guard them. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (stat) parents.set(Number(name), stat.parent)
  }
  const tree = new Set([root])
  for (const above of tree) {
    for (const [pid, parent] of parents) if (parent === above) tree.add(pid)
  }
  return [...tree].filter((pid) => !GUARDS.has(statOf(pid)?.name ?? 'sh'))
}

/** The sums over these processes. A process that has ended counts 0. */
export function figuresOf(pids: readonly number[]): ProcessFigures {
  return {
    cpuMs: sum(pids, (pid) => (statOf(pid)?.ticks ?? 0) * TICK_MS),
    peakBytes: sum(pids, peakOf),
  }
}

/** Resets the peak memory (proc(5), clear_refs). */
export function resetPeaks(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
    } catch {
      // The process has ended, or the kernel lacks clear_refs: the peak is then that since the start.
    }
  }
}

function statOf(pid: number): { name: string; parent: number; ticks: number } | undefined {
  const text = read(`/proc/${pid}/stat`)
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? []
  if (rest === '') return undefined
  const fields = rest.split(' ')
  return { name, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
}

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const sum = (pids: readonly number[], figure: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + figure(pid), 0)
