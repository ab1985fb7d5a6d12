import { parseArgs } from 'node:util'

/** The databases by name. `mariadb` is the installed server, the others are fetched. */
export const DATABASES = ['mariadb', 'mariadb-11', 'mysql'] as const
export type Database = (typeof DATABASES)[number]

/** Major versions of Node. */
export const NODES = ['20', '22', '24'] as const
export type NodeMajor = (typeof NODES)[number]

/** The suites, and the arguments of npm that run them. */
export const SUITES = {
  test: ['run', 'test:all'],
  compat: ['run', 'compat'],
  torture: ['run', 'torture', '--', '--short', '--seed', '1'],
} as const
export type Suite = keyof typeof SUITES
export const SUITE_NAMES = ['test', 'compat', 'torture'] as const satisfies Suite[]

export type Options = {
  readonly databases: readonly Database[]
  readonly nodes: readonly NodeMajor[]
  readonly suites: readonly Suite[]
  /** Write the results into docs/performance.md. */
  readonly write: boolean
  readonly help: boolean
}

export const USAGE = `npm run matrix -- [options]

Runs each suite on each database with each version of Node, one after the other. A run of all takes hours.

  --databases <names>  ${DATABASES.join(', ')} [all]. mariadb is the installed server; the others are downloaded from Debian
  --node <versions>    ${NODES.join(', ')} [all]. A version that does not run this script is downloaded from the npm registry
  --suites <names>     ${SUITE_NAMES.join(', ')} [all]
  --write              writes the results into docs/performance.md; those of other combinations stay
  --help               this text

The output of each suite is in .data/matrix/logs. Servers and versions of Node stay in .data/matrix; delete it to download newer ones.
`

/** @throws Error for an invalid argument */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      databases: { type: 'string', default: DATABASES.join() },
      node: { type: 'string', default: NODES.join() },
      suites: { type: 'string', default: SUITE_NAMES.join() },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    databases: someOf(DATABASES, 'databases', values.databases),
    nodes: someOf(NODES, 'node', values.node),
    suites: someOf(SUITE_NAMES, 'suites', values.suites),
    write: values.write,
    help: values.help,
  }
}

/** The values that a text names, in their order. */
function someOf<T extends string>(values: readonly T[], option: string, text: string): T[] {
  const names = text.split(',').filter(Boolean)
  const unknown = names.filter((name) => !values.some((known) => known === name))
  if (unknown.length === 0 && names.length > 0) return values.filter((name) => names.includes(name))
  throw new Error(`--${option} takes ${values.join(', ')}, not "${text}".`)
}
