#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { describeNodeVersion } from './host/node-version.ts'
import { describeFileLimit } from './host/open-files.ts'

// Collect garbage when the heap has grown by 50%: by default V8 waits for up to four times the live size.
setFlagsFromString('--heap-growing-percent=50')

// Before the modules of the program, which an older version cannot load.
const problem = describeNodeVersion(process.versions.node) ?? describeFileLimit()
if (problem === undefined) await import('./run-main.ts')
else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
