import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

it('the stop limit ends a process that hangs in a call of the file system, and says what it waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-stop-'))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Nobody writes to the pipe, so a thread of the process waits for ever; `process.exit` would wait for this thread.
  const program = `
    import { open } from 'node:fs/promises'
    import { limitStop } from './src/host/stop-limit.ts'
    import { runProcess } from './src/host/run-process.ts'
    await runProcess(async () => {
      void open(${JSON.stringify(pipe)}, 'r')
      limitStop(3000, () => 'builder')
      return 0
    }, 2000)`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] })
  const [stderr, signal] = await Promise.all([
    text(child.stderr),
    new Promise((done) => child.once('close', (_, name) => done(name))),
  ])
  rmSync(folder, { recursive: true })
  expect(stderr).toContain(
    'The process did not stop within 3 seconds and is killed. It waited for: builder (FSReqPromise',
  )
  expect(signal).toBe('SIGKILL')
})
