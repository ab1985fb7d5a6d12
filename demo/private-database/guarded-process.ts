import { spawn } from 'node:child_process'

/**
 * A shell around the command, in a session of its own: the terminal's Ctrl-C does not reach it.
 * It holds the far end of a pipe whose near end is ours. When the pipe closes, because we stop or
 * because we were killed in whatever way, it asks the command to end, and in the end kills whatever
 * is left of the session.
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
  /** Id of the shell around the command, 0 where it could not be started. */
  readonly pid: number
  /** Settles when the command has ended: its exit code, or null when it had to be killed. */
  exited: Promise<number | null>
  /** Stops the command and waits for its end. Safe to call again. */
  stop(): Promise<void>
}

export interface GuardOptions {
  /** File descriptor that takes the command's output. */
  output: number
  /** Shell command that asks `$child` to end [`kill -TERM "$child"`]. */
  stop?: string
  /** Seconds between asking and killing [10]. */
  grace?: number
}

/** Starts a command that never outlives this process, not even when it is killed with SIGKILL. */
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
