import type { Writable } from 'node:stream'
import { format } from 'node:util'
import { pino } from 'pino'
import { traceIds } from './trace.ts'

/** The logger. It is created once, in services.ts, and passed down. */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

/** Maximum size of log lines that wait for a slow reader, in bytes. Further lines are dropped and counted. */
export const MAX_WAITING_LOG_BYTES = 4 * 1024 * 1024

/** The stream that log lines are written to, such as standard error. */
type LogStream = Pick<Writable, 'write' | 'writableLength' | 'once'>

/**
 * Creates the logger: JSON lines on standard error, because standard output is for results. The headers that carry tokens are redacted
 * wherever they appear. Lines of a trace contain its ids.
 */
export function createLog(level: string, stream: LogStream = process.stderr): pino.Logger {
  const output = new LogOutput(stream, (dropped) => warnOfDropped(log, dropped))
  const log = pino(
    {
      level,
      mixin: traceIds,
      redact: {
        paths: ['req.headers.authorization', 'req.headers["x-svc-key"]', 'req.headers.cookie'],
        censor: '[hidden]',
      },
    },
    output,
  )
  return log
}

/** Makes log lines of what libraries print, such as warnings of the database driver: a reader of the log expects JSON. */
export function logConsole(log: Log): void {
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    console[method] = (...printed: unknown[]) => log.warn(format(...printed))
}

function warnOfDropped(log: Log, dropped: number): void {
  log.warn({ dropped }, 'log lines dropped: the reader of the log was too slow')
}

/**
 * Writes lines without waiting for the reader of the log. Node writes a line to a pipe at once if the pipe has room, and buffers it
 * otherwise, so nothing is lost when the process ends and a hanging reader blocks nothing. Files are written synchronously. The service
 * starts no child process that inherits standard error: that would make the pipe blocking for both.
 */
class LogOutput {
  readonly #stream: LogStream
  readonly #onRead: (dropped: number) => void
  #dropped = 0

  /** @param onRead called when the reader reads again, with the number of dropped lines */
  constructor(stream: LogStream, onRead: (dropped: number) => void) {
    this.#stream = stream
    this.#onRead = onRead
  }

  write(line: string): void {
    if (this.#dropped > 0 || this.#stream.writableLength > MAX_WAITING_LOG_BYTES) this.#drop()
    else this.#stream.write(line)
  }

  #drop(): void {
    this.#dropped += 1
    if (this.#dropped > 1) return
    this.#stream.once('drain', () => {
      const dropped = this.#dropped
      this.#dropped = 0
      this.#onRead(dropped)
    })
  }
}
