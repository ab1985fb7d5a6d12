import { join } from 'node:path'
import { type CommandResult, runCommand } from './cli.ts'
import { useFolder } from './use.ts'

/** `wp-frames` without a database, with a folder of its own for logins. */
export type RemoteCli = {
  readonly env: Readonly<Record<string, string>>
  /** The file of the logins. */
  readonly file: string
  run(...args: string[]): Promise<CommandResult>
  /** Runs `login` with a token on standard input. */
  login(token: string, ...args: string[]): Promise<CommandResult>
}

/** Creates it for the tests of a file or group. */
export async function useRemoteCli(): Promise<RemoteCli> {
  const folder = await useFolder('logins')
  const env = { XDG_CONFIG_HOME: folder, LOG_LEVEL: 'silent' }
  return {
    env,
    file: join(folder, 'wp-frames', 'logins.json'),
    run: (...args) => runCommand(args, env),
    login: (token, ...args) => runCommand(['login', ...args], env, `${token}\n`),
  }
}
