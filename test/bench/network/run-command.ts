import { spawn } from 'node:child_process'
import { figuresOf } from '../load/process-figures.ts'
import { startProxy } from '../remote/start-proxy.ts'
import { PROGRAM, staticDir } from '../setup/start-service.ts'
import type { NetworkRun } from './measure-service.ts'

/** A finished command with what it has used. */
type CommandRun = {
  readonly seconds: number
  readonly megabytes: number
  readonly roundTrips: number
  /** Standard output. */
  readonly output: string
}

const SAMPLE_MS = 100

/** Runs commands of the built package on a network, whose database they reach through a proxy that counts round trips. */
export async function commandsOf({ running, undo }: NetworkRun) {
  const proxy = await startProxy(running.url, 0, running.folder, undo)
  /** @throws Error if it ends with another code than these */
  return async (codes: readonly number[], ...args: readonly string[]): Promise<CommandRun> => {
    const before = await proxy.readRoundTrips()
    const begin = performance.now()
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATABASE_URL: proxy.url,
        STATIC_DIR: staticDir(running.folder),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    undo.add(() => void child.kill('SIGKILL'))
    const [output, errors]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    let peakBytes = 0
    const sampling = setInterval(() => {
      peakBytes = Math.max(peakBytes, figuresOf([child.pid ?? 0]).peakBytes)
    }, SAMPLE_MS)
    const code = await new Promise<number | null>((done) => child.once('close', done))
    clearInterval(sampling)
    const [said, failed] = [output, errors].map((chunks) => Buffer.concat(chunks).toString())
    if (!codes.includes(code ?? -1))
      throw new Error(`${args[0]} ended with ${code}: ${`${said}${failed}`.slice(-1000)}`)
    return {
      seconds: (performance.now() - begin) / 1000,
      megabytes: peakBytes / 1e6,
      roundTrips: (await proxy.readRoundTrips()) - before,
      output: said ?? '',
    }
  }
}
