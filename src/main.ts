#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { runCli } from './cli/run-cli.ts'
import { readConfig } from './config/config.ts'
import { runProcess } from './run-process.ts'
import { openServices } from './services.ts'

// Memory is cleared once there is half as much again as was in use: V8 by itself waits for up to four times as much.
setFlagsFromString('--heap-growing-percent=50')

await runProcess(() => runCli(process.argv, { readConfig, openServices }))
