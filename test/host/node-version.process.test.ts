import { execFileSync, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { describeNodeVersion } from '../../src/host/node-version.ts'

const CHECK = resolve(import.meta.dirname, '../../.ci/check-node.mjs')
const MESSAGE =
  /^wp-frames needs Node\.js \^20\.19 \|\| \^22\.12 \|\| >=24; this is [\d.]+\. Install a supported version/

it.each(['18.20.8', '20.18.3', '21.7.0', '22.11.0', '23.11.0'])(
  'the program refuses Node.js %s',
  (version) => {
    expect(describeNodeVersion(version)).toMatch(MESSAGE)
    const { status, stderr } = spawnSync(process.execPath, [CHECK, version], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringMatching(MESSAGE)])
  },
)

it.each(['20.19.0', '20.20.2', '22.12.0', '24.0.0', '25.1.0'])(
  'the program runs on Node.js %s',
  (version) => {
    expect(describeNodeVersion(version)).toBeUndefined()
    expect(execFileSync(process.execPath, [CHECK, version], { encoding: 'utf8' })).toBe('')
  },
)
