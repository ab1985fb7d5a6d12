/**
 * Measures what grows with the number of sites of a network, and with the number of pages of a site. It leaves the figures in
 * `test/bench/network/results.json` and, on request, the tables in docs/performance.md.
 */
import { Undo } from '../setup/undo.ts'
import { NETWORK_USAGE, parseNetworkOptions } from './network-options.ts'
import { runNetwork } from './run-network.ts'

const undo = new Undo()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await undo.run()
    process.exit(130)
  })
}

try {
  const options = parseNetworkOptions(process.argv.slice(2))
  if (options.help) console.log(NETWORK_USAGE)
  else await runNetwork(options, undo)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await undo.run()
}
