import { onStopSignal } from './on-stop-signal.ts'

/**
 * Runs work that looks at its signal between two steps and stops where it is aborted: on Ctrl-C, the step that is under way is finished. A
 * second Ctrl-C ends the process at once; a transaction that is open then is taken back by the database.
 */
export async function withInterruptSignal<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const release = onStopSignal(() => {
    controller.abort()
    process.stderr.write('Stopping after the step that is under way.\n')
  })
  try {
    return await work(controller.signal)
  } finally {
    release()
  }
}
