import { parseArgs } from 'node:util'
import { CONTENDERS, type ContenderName } from './contender.ts'

/** The options of `npm run bench`. */
export type Options = {
  /** Names of workloads, or prefixes of several; empty for all. */
  readonly only: readonly string[]
  readonly contenders: readonly ContenderName[]
  /** How long each contender runs each workload, in seconds. */
  readonly seconds: number
  /** Numbers of pages of the sites that are published. */
  readonly pages: readonly number[]
  /** Write the table into docs/performance.md. */
  readonly readme: boolean
  readonly help: boolean
}

export const USAGE = `npm run bench -- [options]

  --only <names>      workloads, or prefixes of their names, separated by commas (menu-read,publication)
  --with <names>      contenders, separated by commas: ${CONTENDERS.join(', ')} [all]
  --pages <numbers>   pages of the published sites [2000,20000; with --only 2000]
  --seconds <number>  load of each contender with each workload [3]
  --readme            write the table into docs/performance.md
  --help              this text and the names of the workloads
`

/** @throws Error for an invalid argument */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      with: { type: 'string', default: CONTENDERS.join() },
      seconds: { type: 'string', default: '3' },
      pages: { type: 'string' },
      readme: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  if (!(seconds >= 0.5 && seconds <= 600)) {
    throw new Error(`--seconds takes a number from 0.5 to 600, not "${values.seconds}".`)
  }
  const unknown = names(values.with).filter((name) => !isContender(name))
  if (unknown.length > 0) {
    throw new Error(`--with takes ${CONTENDERS.join(', ')}, not ${unknown.join(', ')}.`)
  }
  const only = names(values.only)
  const pages = names(values.pages ?? (only.length > 0 ? '2000' : '2000,20000')).map(Number)
  if (!pages.every((count) => Number.isInteger(count) && count >= 1 && count <= 99_999)) {
    throw new Error(`--pages takes numbers from 1 to 99999, not "${values.pages}".`)
  }
  const { readme, help } = values
  const contenders = names(values.with).filter(isContender)
  return {
    ...{ only, contenders, seconds, readme, help },
    pages: pages.sort((a, b) => a - b),
  }
}

const names = (text: string): string[] => text.split(',').filter(Boolean)

const isContender = (name: string): name is ContenderName =>
  CONTENDERS.some((known) => known === name)
