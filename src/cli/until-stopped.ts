import { onStopSignal, STOP_SIGNALS } from './on-stop-signal.ts'

/**
 * Resolves when the process is asked to end; a second signal ends it at once.
 * @param onHangup called for a SIGHUP that no closed terminal sent, which then ends nothing: supervisors and log rotation send it to have
 * settings or files read again. Without it, every SIGHUP asks the process to end.
 */
export function waitForStopSignal(onHangup?: () => void): Promise<void> {
  const ignored = onHangup && !process.stdin.isTTY ? onHangup : undefined
  if (ignored) process.on('SIGHUP', ignored)
  const signals = STOP_SIGNALS.filter((name) => !ignored || name !== 'SIGHUP')
  return new Promise((resolve) => onStopSignal(resolve, signals))
}
