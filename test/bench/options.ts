import { parseArgs } from 'node:util'
import { CONTENDERS, type ContenderName } from './contender.ts'
import { PASS_NAMES, PASS_PARTS } from './freshness/passes.ts'
import type { FreshnessOptions } from './freshness/run-freshness.ts'

/** The options of `npm run bench`. */
export type Options = {
  /** Names of workloads, or prefixes of several; empty for all. */
  readonly only: readonly string[]
  readonly contenders: readonly ContenderName[]
  /** How long each contender runs each workload, in seconds, and before that without being measured. */
  readonly seconds: number
  readonly warmUpSeconds: number
  /** A contender that takes longer than this for one request gets no further requests, in milliseconds. */
  readonly slowestMs: number
  /** Only the workloads whose ratios to WordPress or Express have targets, unless `only` names others. */
  readonly quick: boolean
  /** Each direction between the contenders and the database is delayed. */
  readonly remote: boolean
  /** File that gets the results. */
  readonly out: string | undefined
  /** File with the results of an earlier run. */
  readonly compare: string | undefined
  /** Numbers of pages of the sites that are published. */
  readonly pages: readonly number[]
  /** Of the measurement of freshness. */
  readonly freshness: FreshnessOptions
  /** Write the table into docs/performance.md. */
  readonly readme: boolean
  readonly help: boolean
}

export const USAGE = `npm run bench -- [options]

  --only <names>      workloads, or prefixes of their names, separated by commas (menu-read,publication)
  --with <names>      contenders, separated by commas: ${CONTENDERS.join(', ')} [all]
  --pages <numbers>   pages of the published sites [2000,20000; with --only 2000]
  --seconds <number>  load of each contender with each workload [3]
  --quick             service, wordpress and express for a second with the workloads that are compared with the last two; no publication
  --remote            1 ms each way between the contenders and the database, and the number of round trips; also with --only plan
  --out <file>        writes the results to this file
  --compare <file>    compares the ratios with those of an earlier run: a file of --out, or test/bench/results.json
  --readme            write the table into docs/performance.md, with --remote the one of that
  --help              this text and the names of the workloads

With --only store: a site of --pages pages is published to a folder and to an S3 server on this machine, which .ci/fetch-s3 unpacks.

With --only history: what the history adds to writes, its size, and a restore of a site.

With --only plan: plan, apply, drift and rollback of 200 frames on all sites of a network with --sites sites, and the doctor: statements and round trips for each site. apply is killed five times.

With --only sites: what a list of --pages pages, a round of the poll and the doctor cost in a network with --sites sites.

With --only freshness, and with --only sites the first and --folder:

  --sites <number>    sites of the network, one of them with --pages pages [1000; 20000 pages]
  --passes <names>    ${PASS_NAMES.join(', ')} [feed,poll]
  --parts <names>     ${PASS_PARTS.join(', ')} [all]
  --thorough          all edits that change each page of the large site, a minute each
  --quiet <seconds>   duration of the measurement without edits [60]
  --rows <number>     rows that one transaction changes [1000000]
  --folder <path>     keeps the network in this folder for the next run
  --write             stores the results, and writes the tables into docs/freshness.md
`

/** @throws Error for an invalid argument */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      with: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      out: { type: 'string' },
      compare: { type: 'string' },
      pages: { type: 'string' },
      sites: { type: 'string', default: '1000' },
      passes: { type: 'string', default: 'feed,poll' },
      parts: { type: 'string', default: PASS_PARTS.join() },
      thorough: { type: 'boolean', default: false },
      quiet: { type: 'string', default: '60' },
      rows: { type: 'string', default: '1000000' },
      folder: { type: 'string' },
      write: { type: 'boolean', default: false },
      readme: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { readme, help, quick, remote, out, compare } = values
  const standard = quick ? QUICK : FULL
  const seconds = Number(values.seconds ?? standard.seconds)
  if (!(seconds >= 0.5 && seconds <= 600)) {
    throw new Error(`--seconds takes a number from 0.5 to 600, not "${values.seconds}".`)
  }
  const only = names(values.only)
  const pages = names(values.pages ?? (only.length > 0 ? '2000' : '2000,20000')).map(Number)
  if (!pages.every((count) => Number.isInteger(count) && count >= 1 && count <= 99_999)) {
    throw new Error(`--pages takes numbers from 1 to 99999, not "${values.pages}".`)
  }
  const freshness: FreshnessOptions = {
    sites: numberIn(values, 'sites', 4, 100_000),
    pages: values.pages === undefined ? FRESHNESS_PAGES : Math.max(...pages),
    passes: someOf(PASS_NAMES, 'passes', values.passes),
    parts: someOf(PASS_PARTS, 'parts', values.parts),
    isThorough: values.thorough,
    quietSeconds: numberIn(values, 'quiet', 1, 3600),
    rows: numberIn(values, 'rows', 1, 10_000_000),
    isWritten: values.write,
    ...(values.folder === undefined ? {} : { folder: values.folder }),
  }
  const contenders = someOf(CONTENDERS, 'with', values.with ?? standard.contenders.join())
  const { warmUpSeconds, slowestMs } = standard
  return {
    only,
    contenders,
    seconds,
    warmUpSeconds,
    slowestMs,
    freshness,
    quick,
    remote,
    out,
    compare,
    readme,
    help,
    pages: pages.sort((a, b) => a - b),
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

/** Pages of the large site of a network. */
const FRESHNESS_PAGES = 20_000

function numberIn<Name extends string>(
  values: Readonly<Record<Name, string>>,
  name: Name,
  least: number,
  most: number,
): number {
  const number = Number(values[name])
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new Error(`--${name} takes a number from ${least} to ${most}, not "${values[name]}".`)
}

/** The values that a text names, in their order. */
function someOf<T extends string>(values: readonly T[], option: string, text: string): T[] {
  const unknown = names(text).filter((name) => !values.some((known) => known === name))
  if (unknown.length > 0)
    throw new Error(`--${option} takes ${values.join(', ')}, not ${unknown.join(', ')}.`)
  return values.filter((name) => names(text).includes(name))
}

const names = (text: string): string[] => text.split(',').filter(Boolean)
