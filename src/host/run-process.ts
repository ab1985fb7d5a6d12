import { hasPendingFileCall } from './stop-limit.ts'

/**
 * Runs a program as this process: survives readers of stdout and stderr that leave, and sets the exit code that `run` returns.
 * @param logWaitMs how long the process waits at its end for the reader of the log, in milliseconds
 */
export async function runProcess(run: () => Promise<number>, logWaitMs: number): Promise<void> {
  // A reader such as `head` may close stdout before all of it is written.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  // The process goes on when the reader of its log has gone.
  process.stderr.on('error', () => {})

  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    const end = () => process.exit(1)
    if (process.stderr.writableLength === 0) end()
    process.stderr.once('drain', end)
    setTimeout(end, logWaitMs)
  })

  process.exitCode = await run()

  // A reader of the log that hangs must not keep the process alive; a reader of stdout may take its time.
  setInterval(() => {
    if (process.stdout.writableLength === 0 && !hasPendingFileCall()) process.exit()
  }, logWaitMs).unref()
}
