import type { Workload } from './workload.ts'
import { workloads } from './workloads.ts'

/**
 * The workloads that words name: whole names, or what the names of several begin with, up to a hyphen. Without a word, all.
 * @throws Error where a word names nothing
 */
export function chooseWorkloads(words: readonly string[]): readonly Workload[] {
  if (words.length === 0) return workloads
  const isNamed = (word: string, { name }: Workload) => `${name}-`.startsWith(`${word}-`)
  const unknown = words.filter((word) => !workloads.some((workload) => isNamed(word, workload)))
  if (unknown.length > 0) {
    throw new Error(`There is no workload ${unknown.join(', ')}. These are:\n${workloadNames()}`)
  }
  return workloads.filter((workload) => words.some((word) => isNamed(word, workload)))
}

/** A line for each workload. */
export function workloadNames(): string {
  return workloads.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`).join('\n')
}
