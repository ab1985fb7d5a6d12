import { PassThrough, Readable } from 'node:stream'
import { vi } from 'vitest'
import { createProgram, runCli } from '../../src/cli/run-cli.ts'
import { parseConfig } from '../../src/host/config/config.ts'
import { openServices } from '../../src/services.ts'
import type { TestNetwork } from './network.ts'
import { batchSetting } from './open-database.ts'
import { FAST } from './timings.ts'

/** The output and the exit code of a command. */
export type CommandResult = Awaited<ReturnType<typeof runCommand>>

/**
 * Runs `wp-frames` with these arguments in this process, with only these environment variables.
 * @param input what it reads from standard input, which is not a terminal [that of the tests]
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: string,
) {
  const run = () => captureOutput(() => runCliWith(args, env))
  const { result: code, ...printed } =
    input === undefined
      ? await run()
      : await withStandardInput(Readable.from([Buffer.from(input)]), run)
  return { code, ...printed }
}

/** Runs a command in this process as on a terminal, and types an answer each time it asks: the next one, or the last one again. */
export async function answer(
  lines: string | readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string }> {
  const terminal = Object.assign(new PassThrough(), { isTTY: true })
  const answers = [lines].flat()
  let output = ''
  const onOutput = (text: string) => {
    output += text
    if (text.includes('[y/N]'))
      terminal.write(`${answers.length > 1 ? answers.shift() : answers[0]}\n`)
  }
  const { result: code } = await withStandardInput(terminal, () =>
    captureOutput(() => runCliWith(args, env), onOutput),
  )
  return { code, output }
}

const runCliWith = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runCli(['node', 'wp-frames', ...args], {
    readConfig: () => parseConfig({ ...batchSetting, ...env }),
    openServices,
    timings: FAST,
  })

/** The program with the options of its commands, which run nothing. @param line of the command that it loads [all] */
export const createUnused = (line?: readonly string[]) =>
  createProgram(
    {
      readConfig: () => parseConfig({}),
      openServices: () => {
        throw new Error('The program is not run.')
      },
      timings: FAST,
    },
    line,
  )

/** Lets `work` read a stream as the standard input of the process. */
async function withStandardInput<T>(input: Readable, work: () => Promise<T>): Promise<T> {
  const spy = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as typeof process.stdin)
  try {
    return await work()
  } finally {
    spy.mockRestore()
  }
}

/** Commands on a network, in this process. @param staticDir the folder of static copies [none] */
export function commandsOn({ url, globals }: Pick<TestNetwork, 'url' | 'globals'>, staticDir = '') {
  const environment = {
    DATABASE_URL: url,
    TABLE_PREFIX: globals.basePrefix,
    LOG_LEVEL: 'silent',
    STATIC_DIR: staticDir,
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

/**
 * Runs `work`; returns its result and what was printed meanwhile.
 * @param onOutput gets each text at once
 */
export async function captureOutput<T>(
  work: () => Promise<T>,
  onOutput?: (text: string) => void,
): Promise<{ readonly result: T; readonly stdout: string; readonly stderr: string }> {
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text
      onOutput?.(String(text))
      return true
    }),
  )
  try {
    return { result: await work(), ...printed }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
