#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import type { CliContext } from './cli/cli-context.ts'
import { describeNodeVersion } from './host/node-version.ts'
import { describeFileLimit } from './host/open-files.ts'

// Collect garbage when the heap has grown by 50%: by default V8 waits for up to four times the live size.
setFlagsFromString('--heap-growing-percent=50')

// Before the modules of the program, which an older version cannot load.
const problem = describeNodeVersion(process.versions.node) ?? describeFileLimit()
if (problem === undefined) {
  const { runCli } = await import('./cli/run-cli.ts')
  const { runProcess } = await import('./host/run-process.ts')
  const { TIMINGS } = await import('./host/timings.ts')
  // Each command loads what it needs: most need no database, and the help needs nothing.
  const context: CliContext = {
    timings: TIMINGS,
    readConfig: async () => (await import('./host/config/config.ts')).readConfig(),
    openServices: async (config, options) =>
      (await import('./services.ts')).openServices(config, options),
  }
  await runProcess(() => runCli(process.argv, context), TIMINGS.process.logWaitMs)
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
