#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { runCli } from './cli/run-cli.ts'
import { readConfig } from './config/config.ts'
import { runProcess } from './run-process.ts'
import { openServices } from './services.ts'

// Collect garbage when the heap has grown by 50%: by default V8 waits for up to four times the live size.
setFlagsFromString('--heap-growing-percent=50')

await runProcess(() => runCli(process.argv, { readConfig, openServices }))
