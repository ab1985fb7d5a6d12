import { join } from 'node:path'
import { runCommand } from './cli.ts'
import { useFolder } from './use.ts'

/** `wp-frames` without a database, with a folder of its own for logins. Creates it for the tests of a file or group. */
export async function useRemoteCli() {
  const folder = await useFolder('logins')
  const env = { XDG_CONFIG_HOME: folder, LOG_LEVEL: 'silent' }
  return {
    env,
    /** The file of the logins. */
    file: join(folder, 'wp-frames', 'logins.json'),
    run: (...args: string[]) => runCommand(args, env),
    /** Runs `login` with a token on standard input. */
    login: (token: string, ...args: string[]) => runCommand(['login', ...args], env, `${token}\n`),
  }
}
