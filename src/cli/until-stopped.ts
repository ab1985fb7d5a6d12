import { onStopSignal } from './on-stop-signal.ts'

/** Resolves when the process is asked to end; a second signal ends it at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => onStopSignal(resolve))
}
