import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { vi } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { parseConfig } from '../../src/config/config.ts'
import { openServices } from '../../src/services.ts'
import type { TestNetwork } from './network.ts'
import { batchSetting } from './open-database.ts'
import { programArgs } from './program.ts'
import { FAST } from './timings.ts'

/** The output and the exit code of a command. */
export type CommandResult = {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `wp-frames` with these arguments in this process, with only these environment variables. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const { result: code, ...printed } = await captureOutput(() =>
    runCli(['node', 'wp-frames', ...args], {
      readConfig: () => parseConfig({ ...batchSetting, ...env }),
      openServices,
      timings: FAST,
    }),
  )
  return { code, ...printed }
}

/** Commands on a network, in this process and without static copies. */
export function commandsOn({ url, globals }: TestNetwork) {
  const environment = {
    DATABASE_URL: url,
    TABLE_PREFIX: globals.basePrefix,
    LOG_LEVEL: 'silent',
    STATIC_DIR: '',
  }
  const run = (...args: string[]): Promise<CommandResult> => runCommand(args, environment)
  /** What a command prints with `--json`, its exit code and its messages. */
  const json = async (...args: string[]) => {
    const { stdout, stderr, code } = await run(...args, '--json')
    try {
      return { ...JSON.parse(stdout), code, stderr }
    } catch {
      throw new Error(stderr)
    }
  }
  return { environment, run, json }
}

const ROOT = resolve(import.meta.dirname, '../..')

/** A command in its own process. */
export type SpawnedCommand = {
  readonly child: ChildProcess
  readonly ended: Promise<CommandResult>
}

/**
 * Runs a command in its own process, which may be sent signals.
 * @param input what it reads from standard input [nothing]
 */
export async function spawnCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: string,
): Promise<SpawnedCommand> {
  const child = spawn(process.execPath, [...(await programArgs('src/main')), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...batchSetting, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk) => {
      printed[name] += chunk
    })
  const ended = new Promise<CommandResult>((done) =>
    child.once('close', (code) => done({ code: code ?? -1, ...printed })),
  )
  return { child, ended }
}

/** Runs a command in a process of its own on a terminal, and types an answer when it asks. */
export async function answer(
  line: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  question = '[y/N]',
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

/** Runs `work`; returns its result and what was printed meanwhile. */
export async function captureOutput<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly stdout: string; readonly stderr: string }> {
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text
      return true
    }),
  )
  try {
    return { result: await work(), ...printed }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
