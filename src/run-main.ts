import { runCli } from './cli/run-cli.ts'
import { runProcess } from './host/run-process.ts'
import { TIMINGS } from './host/timings.ts'

// Each command loads what it needs: most need no database, and the help needs nothing.
await runProcess(
  () =>
    runCli(process.argv, {
      timings: TIMINGS,
      readConfig: async () => (await import('./host/config/config.ts')).readConfig(),
      openServices: async (config, options) =>
        (await import('./services.ts')).openServices(config, options),
    }),
  TIMINGS.process.logWaitMs,
)
