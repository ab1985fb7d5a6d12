/** Runs the suites on several databases and versions of Node; see `options.ts` for the options. */
import { resolve } from 'node:path'
import { parseOptions, USAGE } from './options.ts'
import { prepareDatabase, prepareNode } from './prepare-programs.ts'
import { type Cell, describe, resultTable, writeCells } from './results.ts'
import { runSuite } from './run-suite.ts'

const LOGS = resolve(import.meta.dirname, '../../.data/matrix/logs')
const print = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  const options = parseOptions(process.argv.slice(2))
  if (options.help) print(USAGE)
  else await runMatrix(options)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

async function runMatrix({ databases, nodes, suites, write }: ReturnType<typeof parseOptions>) {
  // Everything is downloaded before the first run, so that a failure is reported at once.
  const servers = databases.map((name) => ({ name, ...prepareDatabase(name) }))
  const versions = nodes.map((name) => ({ name, ...prepareNode(name) }))
  const cells: Cell[] = []
  for (const server of servers)
    for (const node of versions)
      for (const suite of suites) {
        const log = resolve(LOGS, `${server.name}-node-${node.name}-${suite}.log`)
        const began = performance.now()
        // The folder of a downloaded server contains nothing else; that of Node may contain the installed server.
        const directories = [server.directory, node.directory].filter((path) => path !== undefined)
        const totals = await runSuite(suite, directories, log)
        const cell: Cell = {
          database: server.name,
          node: node.name,
          suite,
          databaseVersion: server.version,
          nodeVersion: node.version,
          date: new Date().toISOString().slice(0, 10),
          totals,
        }
        cells.push(cell)
        const minutes = ((performance.now() - began) / 60_000).toFixed(1)
        print(
          `${server.version}, Node ${node.version}, ${suite}: ${describe(cell)}, ${minutes} minutes, ${log}`,
        )
        if (write) writeCells([cell])
      }
  print(`\n${resultTable(cells)}`)
  if (cells.some(({ totals }) => totals?.failed !== 0)) process.exitCode = 1
}
