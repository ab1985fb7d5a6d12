import { parseArgs } from 'node:util'
import { CONTENDERS, type ContenderName } from './contender.ts'

/** The options of `npm run bench`. */
export type Options = {
  /** Names of workloads, or prefixes of several; empty for all. */
  readonly only: readonly string[]
  readonly contenders: readonly ContenderName[]
  /** How long each contender runs each workload, in seconds. */
  readonly seconds: number
  /** Write the table into docs/performance.md. */
  readonly readme: boolean
  readonly help: boolean
}

export const USAGE = `npm run bench -- [options]

  --only <names>      workloads, or prefixes of their names, separated by commas (menu-read,frame-list-500)
  --with <names>      contenders, separated by commas: ${CONTENDERS.join(', ')} [all]
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
  const { readme, help } = values
  const contenders = names(values.with).filter(isContender)
  return { only: names(values.only), contenders, seconds, readme, help }
}

const names = (text: string): string[] => text.split(',').filter(Boolean)

const isContender = (name: string): name is ContenderName =>
  CONTENDERS.some((known) => known === name)
