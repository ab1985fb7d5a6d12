#!/usr/bin/env node
import { runCli } from './cli/run-cli.ts'
import { readConfig } from './config/environment.ts'
import { openServices } from './services.ts'

// Whoever reads what is printed may have seen enough, as `head` has, and leave.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runCli(process.argv, { readConfig, openServices })
