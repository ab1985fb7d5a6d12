#!/usr/bin/env node
import { runCli } from './cli/run-cli.ts'
import { readConfig } from './config/environment.ts'
import { openServices } from './services.ts'

process.exitCode = await runCli(process.argv, { readConfig, openServices })
