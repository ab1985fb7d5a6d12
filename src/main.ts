#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { runCli } from './cli/run-cli.ts'
import { readConfig } from './config/environment.ts'
import { openServices } from './services.ts'

// Memory is cleared once there is half as much again as was in use: V8 by itself waits for up to four times as much.
setFlagsFromString('--heap-growing-percent=50')

// Whoever reads what is printed may have seen enough, as `head` has, and leave.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runCli(process.argv, { readConfig, openServices })
