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

// The log goes on without its reader.
process.stderr.on('error', () => {})

/** How long the end of the process waits until the reader of the log has taken what is left of it, in milliseconds. */
const LOG_PATIENCE_MS = 2000

process.on('uncaughtException', (error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  const end = () => process.exit(1)
  if (process.stderr.writableLength === 0) end()
  process.stderr.once('drain', end)
  setTimeout(end, LOG_PATIENCE_MS)
})

process.exitCode = await runCli(process.argv, { readConfig, openServices })

// A reader that hangs must not keep the process; one of what is printed may take its time.
setInterval(() => {
  if (process.stdout.writableLength === 0) process.exit()
}, LOG_PATIENCE_MS).unref()
