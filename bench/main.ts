/**
 * Measures the service, WordPress and the floor beside each other; see `options.ts` for what it takes. Nothing of it stays but
 * `bench/results.json` and, where asked for, the table in docs/performance.md.
 */
import { bench } from './bench.ts'
import { parseOptions, USAGE } from './options.ts'
import { Undo } from './stage/undo.ts'
import { workloadNames } from './workloads/choose-workloads.ts'

const undo = new Undo()
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    interrupted = true
    await undo.run()
    process.exit(130)
  })
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options.help) console.log(`${USAGE}\n${workloadNames()}`)
  else await bench(options, undo)
} catch (error) {
  // Who is cut off while its server is stopped has nothing to tell.
  if (!interrupted) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await undo.run()
}
