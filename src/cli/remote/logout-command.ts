import type { Command } from 'commander'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { DEFAULT_LOGIN, noLogin, readStoredLogins, removeLogin } from './logins.ts'

/** `logout [name]`: removes a login from this machine. */
export function logoutCommand(context: CliContext): Command {
  return new CliCommand('logout')
    .argument('[name]', 'the name of the login', DEFAULT_LOGIN)
    .examples('wp-frames logout', 'wp-frames logout staging')
    .action(async (name: string) => {
      const config = await context.readConfig()
      if (!(await removeLogin(config, name))) throw noLogin(name, await readStoredLogins(config))
      process.stderr.write(`The login "${name}" was removed. Its token is still valid.\n`)
    })
}
