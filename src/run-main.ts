import { runCli } from './cli/run-cli.ts'
import { readConfig } from './config/config.ts'
import { runProcess } from './run-process.ts'
import { openServices } from './services.ts'
import { TIMINGS } from './timings.ts'

await runProcess(
  () => runCli(process.argv, { readConfig, openServices, timings: TIMINGS }),
  TIMINGS.process.logWaitMs,
)
