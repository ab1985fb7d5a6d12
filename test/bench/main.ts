/** Measures the service, alone and beside WordPress; see `options.ts` for the options. */
import { bench } from './bench.ts'
import { parseOptions, USAGE } from './options.ts'
import { Undo } from './setup/undo.ts'

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
  if (options.help) console.log(USAGE)
  else await bench(options, undo)
} catch (error) {
  // An interrupt stops the servers: the failures that follow are not reported.
  if (!interrupted) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await undo.run()
}
