import { parseArgs } from 'node:util'

/** The parts of the measurement of a network, in their order. */
const NETWORK_PARTS = ['poll', 'feed', 'plan', 'doctor'] as const

export type NetworkPart = (typeof NETWORK_PARTS)[number]

/** The options of `npm run bench:network`. */
export type NetworkOptions = {
  /** Numbers of sites of the networks. */
  readonly sites: readonly number[]
  /** Numbers of pages of the sites with many pages. */
  readonly pages: readonly number[]
  readonly parts: readonly NetworkPart[]
  /** The folder in which the networks stay for the next run [a temporary one]. */
  readonly folder: string | undefined
  /** Store the figures, and write the tables into docs/performance.md. */
  readonly isWritten: boolean
  readonly help: boolean
}

export const NETWORK_USAGE = `npm run bench:network -- [options]

  --sites <numbers>   networks with these numbers of sites, at least 100 [100,1000; none with --pages]
  --pages <numbers>   sites with these numbers of pages, in networks of one site [none]
  --parts <names>     of each network: ${NETWORK_PARTS.join(', ')} [all]
  --folder <path>     keeps the networks in this folder for the next run
  --write             stores the figures, and writes the tables into docs/performance.md
  --help              this text

10,000 sites need 15 GB of memory and of disk, and some 20 minutes to create.
`

const MIN_SITES = 100

/** @throws Error for an invalid argument */
export function parseNetworkOptions(args: readonly string[]): NetworkOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sites: { type: 'string' },
      pages: { type: 'string', default: '' },
      parts: { type: 'string', default: NETWORK_PARTS.join() },
      folder: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const unknown = values.parts
    .split(',')
    .filter((name) => !NETWORK_PARTS.some((part) => part === name))
  if (unknown.length > 0)
    throw new Error(`--parts takes ${NETWORK_PARTS.join(', ')}, not ${unknown.join(', ')}.`)
  return {
    sites: numbersIn('sites', values.sites ?? (values.pages === '' ? '100,1000' : ''), MIN_SITES),
    pages: numbersIn('pages', values.pages, MIN_SITES),
    parts: NETWORK_PARTS.filter((part) => values.parts.split(',').includes(part)),
    folder: values.folder,
    isWritten: values.write,
    help: values.help,
  }
}

function numbersIn(option: string, text: string, least: number): number[] {
  const numbers = text.split(',').filter(Boolean).map(Number)
  if (numbers.every((number) => Number.isInteger(number) && number >= least))
    return numbers.sort((a, b) => a - b)
  throw new Error(`--${option} takes numbers from ${least}, separated by commas, not "${text}".`)
}
