import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { CommandResult } from './cli.ts'
import { batchSetting } from './open-database.ts'
import { programArgs } from './program.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Runs a command in its own process, which may be sent signals. */
export async function spawnCommand(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [...(await programArgs('src/main')), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...batchSetting, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      printed[name] += chunk
    })
  const ended = new Promise<CommandResult>((done) =>
    child.once('close', (code) => done({ code: code ?? -1, ...printed })),
  )
  return { child, ended }
}

/** Runs a command in a process of its own on a terminal, and types an answer when it asks. */
export async function answerOnTerminal(
  line: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  question: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const quoted = [process.execPath, ...(await programArgs('src/main')), ...args].map(
    (part) => `'${part.replaceAll("'", "'\\''")}'`,
  )
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', quoted.join(' '), '/dev/null'],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...batchSetting, ...env },
    },
  )
  let output = ''
  let isAnswered = false
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (isAnswered || !output.includes(question)) return
    isAnswered = true
    child.stdin.write(`${line}\n`)
  })
  const code = await new Promise<number>((done) => child.once('close', (one) => done(one ?? -1)))
  return { code, output }
}
