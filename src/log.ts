import { pino } from 'pino'

/** The one logger, handed down from the composition root. */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

/** Most bytes of log lines that wait for a slow reader. Lines beyond it are dropped and counted. */
export const MAX_WAITING_LOG_BYTES = 4 * 1024 * 1024

/** What log lines are written to, as Node gives it for standard error. */
type LogStream = Pick<NodeJS.WriteStream, 'write' | 'writableLength' | 'once'>

/**
 * Makes the logger: JSON lines on standard error, so that standard output stays free for answers.
 * Tokens can't get in by accident: the headers that carry them are redacted wherever they appear.
 */
export function createLog(level: string, stream: LogStream = process.stderr): pino.Logger {
  const output = new LogOutput(stream, (dropped) =>
    log.warn({ dropped }, 'log lines were dropped because the reader of the log was too slow'),
  )
  const log = pino(
    {
      level,
      redact: {
        paths: ['req.headers.authorization', 'req.headers["x-svc-key"]', 'req.headers.cookie'],
        censor: '[hidden]',
      },
    },
    output,
  )
  return log
}

/**
 * Writes lines without waiting for the reader of the log: Node hands a line to a pipe at once where the pipe has room, and keeps it in
 * memory where it has none. So nothing is lost when the process ends, and a reader that hangs stops nothing. Files are written at once.
 * The service starts no child process that inherits standard error: that would make the pipe blocking for both.
 */
class LogOutput {
  readonly #stream: LogStream
  readonly #onRead: (dropped: number) => void
  #dropped = 0

  /** @param onRead called when the reader is back, with the number of lines that were dropped */
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
