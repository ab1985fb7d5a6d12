import { once } from 'node:events'
import type { Command } from 'commander'
import type { ClientChoice } from '../api/mcp/client-choice.ts'
import { AppError } from '../host/errors.ts'
import { CliCommand } from './cli-command.ts'
import { type CliContext, type CliServices, CommandError } from './cli-context.ts'
import { waitForStopSignal } from './signals.ts'
import { withServices } from './with-services.ts'

/** `mcp`: serves one MCP client on standard input and output, until it closes standard input. */
export function mcpCommand(context: CliContext): Command {
  return new CliCommand('mcp')
    .option('--tools <groups>', 'offer these groups of tools, such as frames,menus, or all')
    .examples('wp-frames mcp --tools frames,menus')
    .action((choice: ClientChoice) => {
      const serve = async (services: CliServices): Promise<void> => {
        const { wpFramesToken: token } = services.config
        if (token === undefined) {
          throw new CommandError(
            'WP_FRAMES_TOKEN is not set. Set it to a token from "wp-frames token issue"; its user, scope and sites limit what the client may do.',
          )
        }
        const ended = Promise.race([once(process.stdin, 'end'), waitForStopSignal()])
        const close = await services.serveMcp(token, choice).catch(refuse)
        await ended
        await close()
      }
      return withServices(context, serve, { isServer: true })
    })
}

/** Says where a token comes from that the service does not accept. */
function refuse(error: unknown): never {
  const isToken = error instanceof AppError && error.code === 'invalid_token'
  throw isToken ? new CommandError(`WP_FRAMES_TOKEN: ${error.message}`) : error
}
