import { closeSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createTemporaryDirectory,
  prepareDataDirectory,
  temporaryDirectory,
} from '../../../demo/private-database/data-directory.ts'
import {
  findServerBinary,
  installWithApt,
  type ServerBinary,
} from '../../../demo/private-database/find-server.ts'
import {
  type GuardedProcess,
  startGuarded,
} from '../../../demo/private-database/guarded-process.ts'
import { flavourArgs, PID_FILE } from '../../../demo/private-database/private-server.ts'
import { runScript } from '../../../demo/private-database/run-script.ts'
import { openServerLog, readCause } from '../../../demo/private-database/server-failure.ts'
import { serverArgs } from '../../../demo/private-database/start-server.ts'
import { freePort } from '../../support/free-port.ts'
import { Unavailable } from '../trial.ts'

export type DatabaseServerOptions = {
  /** Its data directory; log and temporary files are beside it. */
  readonly directory: string
  /** Whether committed data must survive a kill of the server's process. */
  readonly durable: boolean
  /** Whether each start creates the administrator's account [true]; otherwise the data contains it. */
  readonly makesAccount?: boolean
  readonly args?: readonly string[]
  /** Its port [a free one]. */
  readonly port?: number
  /** A folder with programs that it calls. */
  readonly programs?: string
  /** Variables of its environment. */
  readonly env?: Readonly<Record<string, string>>
}

const PATIENCE_MS = 60_000
const ADMIN = 'mysql://torture:torture@127.0.0.1'

/** A database server that can be killed and restarted at the same address. It ends with this process, however that ends. */
export class DatabaseServer {
  readonly #binary: ServerBinary
  readonly options: DatabaseServerOptions
  readonly port: number
  #process: GuardedProcess | undefined

  private constructor(binary: ServerBinary, options: DatabaseServerOptions, port: number) {
    this.#binary = binary
    this.options = options
    this.port = port
  }

  /**
   * Creates its data directory if it is missing; nothing runs yet.
   * @throws Unavailable if MariaDB is missing and cannot be installed
   */
  static async make(options: DatabaseServerOptions): Promise<DatabaseServer> {
    await mkdir(dirname(options.directory), { recursive: true })
    const binary = await getBinary(options.directory)
    await prepareDataDirectory(options.directory, binary, { ...options, log: () => {} })
    return new DatabaseServer(binary, options, options.port ?? (await freePort()))
  }

  get directory(): string {
    return this.options.directory
  }

  /** Its address with the administrator's account, without a database. */
  get adminUrl(): string {
    return `${ADMIN}:${this.port}/`
  }

  /**
   * Starts it and waits until it answers.
   * @param args additional arguments for this start only
   */
  async start(args: readonly string[] = []): Promise<void> {
    const { directory, durable, makesAccount = true, programs = '', env = {} } = this.options
    createTemporaryDirectory(directory)
    const output = openServerLog(directory)
    this.#process = startGuarded(
      [
        'env',
        `PATH=${programs}:${process.env.PATH}`,
        ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
        this.#binary.path,
        '--no-defaults',
        `--datadir=${directory}`,
        ...(makesAccount ? [`--init-file=${accountFile(directory)}`] : []),
        `--tmpdir=${temporaryDirectory(directory)}`,
        '--bind-address=127.0.0.1',
        `--port=${this.port}`,
        '--socket=server.sock',
        `--pid-file=${PID_FILE}`,
        ...(process.getuid?.() === 0 ? ['--user=root'] : []),
        ...flavourArgs(this.#binary),
        ...serverArgs(durable),
        ...(this.options.args ?? []),
        ...args,
      ],
      { output },
    )
    closeSync(output)
    await this.#untilItAnswers(this.#process)
  }

  async #untilItAnswers(running: GuardedProcess): Promise<void> {
    const { directory } = this.options
    let ended = false
    void running.exited.then(() => {
      ended = true
    })
    for (const began = Date.now(); !(await this.answers()); await sleep(25)) {
      if (ended || Date.now() - began > PATIENCE_MS)
        throw new Error(`the database server did not start: ${readCause(directory)}`)
    }
  }

  /** Whether it executes statements; a node that has not joined its cluster yet refuses those that read a table. */
  async answers(): Promise<boolean> {
    return runScript(this.adminUrl, 'SELECT user FROM mysql.user LIMIT 1').then(
      () => true,
      () => false,
    )
  }

  /** Kills its process and waits until it has ended. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.#process?.exited
  }

  /** Sends its process a signal. */
  signal(signal: NodeJS.Signals): void {
    process.kill(Number(readFileSync(join(this.options.directory, PID_FILE), 'utf8')), signal)
  }

  /** Shuts it down. */
  async stop(): Promise<void> {
    await this.#process?.stop()
  }
}

async function getBinary(directory: string): Promise<ServerBinary> {
  writeFileSync(
    accountFile(directory),
    `CREATE USER IF NOT EXISTS 'torture'@'127.0.0.1' IDENTIFIED BY 'torture';
GRANT ALL PRIVILEGES ON *.* TO 'torture'@'127.0.0.1' WITH GRANT OPTION;
`,
  )
  const found = findServerBinary(process.env.PATH)
  if (found) return found
  const obstacle = await installWithApt(directory, (line) => process.stderr.write(`${line}\n`))
  const installed = findServerBinary(process.env.PATH)
  if (installed) return installed
  throw new Unavailable(`MariaDB is missing: ${obstacle ?? 'it was installed but not found'}`)
}

const accountFile = (directory: string): string => `${directory}.sql`
