import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { batchSetting } from './open-database.ts'
import { programArgs } from './program.ts'

/** `npm start` as its user sees it, in its own folder. */
export type Demo = { process: ChildProcess; output: () => string; ended: Promise<number | null> }

/** Starts it; `untilRunning` waits for the text that it prints when it is ready. */
export async function startDemo(folder: string, env: Record<string, string>): Promise<Demo> {
  const process_ = spawn(process.execPath, await programArgs('demo/main'), {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      LOG_LEVEL: 'silent',
      ...batchSetting,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  process_.stdout?.on('data', (chunk) => (output += chunk))
  process_.stderr?.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((done) => process_.once('exit', (code) => done(code)))
  return { process: process_, output: () => output, ended }
}

/** Resolves when the demo runs; throws if it ends instead. */
export async function untilRunning(demo: Demo): Promise<void> {
  for (;;) {
    if (demo.output().includes('Ctrl-C stops it.')) return
    const code = await Promise.race([demo.ended, new Promise((next) => setTimeout(next, 50))])
    if (code !== undefined) throw new Error(`the demo ended with ${code}: ${demo.output()}`)
  }
}

/** The processes whose command line contains a folder, as lines of `ps`. */
export const processesOf = (folder: string): string =>
  execFileSync('sh', ['-c', 'ps -eo args | grep -F -- "$1" | grep -v grep || true', 'sh', folder], {
    encoding: 'utf8',
  })
