import { spawn } from 'node:child_process'

/**
 * A shell around the command, in its own session: the terminal's Ctrl-C does not reach it.
 * It reads from a pipe of this process. The pipe closes when this process stops the command or ends,
 * even by SIGKILL: the shell then asks the command to end, and finally kills what is left
 * of the session.
 */
const guardScript = (stop: string): string => `
tenths=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- &
child=$!
{
  read -r _ <&3
  trap '' TERM
  ${stop}
  while kill -0 "$child" 2>/dev/null && [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  kill -KILL 0
} &
exec 3<&- 2>/dev/null
wait "$child"
code=$?
trap '' TERM
kill -TERM 0
exit "$code"
`

export interface GuardedProcess {
  /** Process id of the shell around the command; 0 if it could not be started. */
  readonly pid: number
  /** Resolves when the command has ended, to its exit code, or to null if it was killed. */
  exited: Promise<number | null>
  /** Stops the command and waits until it has ended. May be called repeatedly. */
  stop(): Promise<void>
}

export interface GuardOptions {
  /** File descriptor for the command's output. */
  output: number
  /** Shell command that asks `$child` to end [`kill -TERM "$child"`]. */
  stop?: string
  /** Seconds between the request to end and the kill [10]. */
  grace?: number
}

/** Starts a command that never outlives this process, not even if this process is killed with SIGKILL. */
export const startGuarded = (
  command: readonly string[],
  { output, stop = 'kill -TERM "$child"', grace = 10 }: GuardOptions,
): GuardedProcess => {
  const child = spawn(
    '/bin/sh',
    ['-c', guardScript(stop), 'guard', String(grace * 10), ...command],
    {
      detached: true,
      stdio: ['pipe', output, output],
    },
  )
  const exited = new Promise<number | null>((settle) => {
    child.once('exit', settle)
    child.once('error', () => settle(null))
  })
  return {
    pid: child.pid ?? 0,
    exited,
    stop: async () => {
      child.stdin?.destroy()
      await exited
    },
  }
}
