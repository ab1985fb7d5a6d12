import { parseArgs } from 'node:util'

/** What `npm run bench` is asked for. */
export type Options = {
  /** Beginnings of workloads' names; empty for all. */
  readonly only: readonly string[]
  /** Names of contenders; empty for all. */
  readonly contenders: readonly string[]
  /** How long each contender is loaded with each workload. */
  readonly seconds: number
  /** Write the table into the README. */
  readonly readme: boolean
  readonly help: boolean
}

export const USAGE = `npm run bench -- [options]

  --only <names>      workloads whose names begin so, separated by commas (menu-read,frame-list-500)
  --with <names>      contenders, separated by commas: service, floor, wordpress [all]
  --seconds <number>  load of each contender with each workload [4]
  --readme            write the table into README.md
  --help              this text and the names of the workloads
`

/** @throws Error that says what is wrong with the arguments */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      with: { type: 'string', default: '' },
      seconds: { type: 'string', default: '4' },
      readme: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  if (!(seconds >= 0.5 && seconds <= 600)) {
    throw new Error(`--seconds takes a number from 0.5 to 600, not "${values.seconds}".`)
  }
  const { readme, help } = values
  return { only: names(values.only), contenders: names(values.with), seconds, readme, help }
}

const names = (text: string): string[] => text.split(',').filter(Boolean)
