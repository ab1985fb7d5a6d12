import { parseArgs } from 'node:util'
import { CONTENDERS, type ContenderName } from './contender.ts'
import { PASS_NAMES } from './freshness/edit-times.ts'
import type { FreshnessOptions } from './freshness/run-freshness.ts'
import { NETWORK_PARTS, type NetworkOptions } from './network/run-network.ts'
import { workloads } from './workloads/workloads.ts'

/** The measurements besides those of workloads. All but the first are measured only if they are named. */
const MEASUREMENTS = {
  publication: 'sites of --pages pages on one frame, published',
  store:
    'a site of --pages pages, published to a folder and to an S3 server, which .ci/fetch-s3 unpacks',
  history: 'what the history adds to writes, its size, and a restore of a site',
  freshness:
    'edits that bypass the service, in a network of --sites sites, one of them with --pages pages',
  network: 'what grows with the sites of a network and the pages of a site: --sites, --pages',
}

type Measurement = keyof typeof MEASUREMENTS

/** The options of `npm run bench`. */
export type Options = {
  /** The named measurements. */
  readonly measurements: readonly Measurement[]
  /** Names of workloads, or prefixes of several; undefined for none, empty for all. */
  readonly workloads: readonly string[] | undefined
  readonly contenders: readonly ContenderName[]
  /** How long each contender runs each workload, in seconds, and before that without being measured. */
  readonly seconds: number
  readonly warmUpSeconds: number
  /** A contender that takes longer than this for one request gets no further requests, in milliseconds. */
  readonly slowestMs: number
  /** Only the workloads whose ratios to WordPress or Express have targets. */
  readonly isQuick: boolean
  /** Each direction between the contenders and the database is delayed. */
  readonly remote: boolean
  /** File that gets the results. */
  readonly out: string | undefined
  /** File with the results of an earlier run. */
  readonly compare: string | undefined
  /** Numbers of pages of the sites that are published. */
  readonly pages: readonly number[]
  readonly freshness: FreshnessOptions
  readonly network: NetworkOptions
  /** Write the tables into the guides. */
  readonly readme: boolean
  readonly help: boolean
}

const line = ([name, title]: readonly [string, string]): string => `  ${name.padEnd(20)} ${title}`

export const USAGE = `npm run bench -- [options]

  --only <names>      workloads, prefixes of their names, or measurements, separated by commas (menu-read,publication)
  --with <names>      contenders, separated by commas: ${CONTENDERS.join(', ')} [all]
  --seconds <number>  load of each contender with each workload [3]
  --quick             service, wordpress and express for a second with the workloads that are compared with the last two; no publication
  --remote            1 ms each way between the contenders and the database, and the number of round trips
  --out <file>        writes the results of the workloads to this file
  --compare <file>    compares the ratios with those of an earlier run, a file of --out
  --pages <numbers>   pages of sites [publication: 2000,20000; store: 2000; freshness: 20000; network: none]
  --sites <numbers>   sites of networks [freshness: 1000; network: 100,1000, or none with --pages]
  --passes <names>    of freshness: ${PASS_NAMES.join(', ')} [all]
  --parts <names>     of network: ${NETWORK_PARTS.join(', ')} [all]
  --folder <path>     keeps the generated networks in this folder for the next run
  --readme            writes the tables of this run into the guides in docs/
  --help              this text

Measurements. Without --only, publication and all workloads are measured.

${Object.entries(MEASUREMENTS).map(line).join('\n')}

Workloads:

${workloads.map(({ name, title }) => line([name, title])).join('\n')}
`

/** @throws Error for an invalid argument */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: text,
      with: text,
      seconds: text,
      quick: flag,
      remote: flag,
      out: text,
      compare: text,
      pages: text,
      sites: text,
      passes: text,
      parts: text,
      folder: text,
      readme: flag,
      help: flag,
    },
  })
  const { readme, help, quick, remote, out, compare, folder } = values
  const standard = quick ? QUICK : FULL
  const seconds = Number(values.seconds ?? standard.seconds)
  if (!(seconds >= 0.5 && seconds <= 600))
    throw new Error(`--seconds takes a number from 0.5 to 600, not "${values.seconds}".`)
  const only = names(values.only)
  const isMeasurement = (name: string): name is Measurement => Object.hasOwn(MEASUREMENTS, name)
  const measurements = only.filter(isMeasurement)
  const named = only.filter((name) => !isMeasurement(name))
  if (remote && measurements.length > 0)
    throw new Error(`--remote has no effect on ${measurements.join(', ')}. Leave it out.`)
  const pages = numbers('pages', values.pages)
  const sites = numbers('sites', values.sites)
  return {
    ...standard,
    measurements: only.length > 0 || quick || remote ? measurements : ['publication'],
    workloads: only.length === 0 || named.length > 0 ? named : undefined,
    contenders: someOf(CONTENDERS, 'with', values.with) ?? standard.contenders,
    seconds,
    isQuick: quick && only.length === 0,
    remote,
    out,
    compare,
    readme,
    help,
    pages: pages ?? (only.includes('store') ? [2000] : [2000, 20_000]),
    freshness: {
      sites: Math.max(4, ...(sites ?? [1000])),
      pages: Math.max(...(pages ?? [20_000])),
      passes: someOf(PASS_NAMES, 'passes', values.passes) ?? PASS_NAMES,
      folder,
      readme,
    },
    network: {
      sites: sites ?? (pages ? [] : [100, 1000]),
      pages: pages ?? [],
      parts: someOf(NETWORK_PARTS, 'parts', values.parts) ?? NETWORK_PARTS,
      folder,
      readme,
    },
  }
}

type Standard = Pick<Options, 'contenders' | 'seconds' | 'warmUpSeconds' | 'slowestMs'>

const FULL: Standard = { contenders: CONTENDERS, seconds: 3, warmUpSeconds: 2, slowestMs: 5000 }
const QUICK: Standard = {
  contenders: ['service', 'wordpress', 'express'],
  seconds: 1,
  warmUpSeconds: 0.3,
  slowestMs: 2000,
}

const names = (text = ''): string[] => text.split(',').filter(Boolean)

/** The numbers that a text names, the smallest first; undefined without a text. */
function numbers(option: string, text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined
  const found = names(text).map(Number)
  if (found.length > 0 && found.every((count) => Number.isInteger(count) && count >= 1))
    return found.sort((a, b) => a - b)
  throw new Error(`--${option} takes numbers from 1, separated by commas, not "${text}".`)
}

/** The values that a text names, in their order; undefined without a text. */
function someOf<T extends string>(
  values: readonly T[],
  option: string,
  text: string | undefined,
): T[] | undefined {
  if (text === undefined) return undefined
  const unknown = names(text).filter((name) => !values.some((known) => known === name))
  if (unknown.length > 0)
    throw new Error(`--${option} takes ${values.join(', ')}, not ${unknown.join(', ')}.`)
  return values.filter((name) => names(text).includes(name))
}
