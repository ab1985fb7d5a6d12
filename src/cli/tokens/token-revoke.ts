import { Command } from 'commander'
import { revokeToken } from '../../auth/tokens.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { parseTokenId } from './token-arguments.ts'

/** `token revoke <id>`: invalidates a token immediately. */
export function revokeTokenCommand(context: CliContext): Command {
  return new Command('revoke')
    .description('invalidate a token immediately and permanently')
    .argument('<id>', 'its id, see "token list"', parseTokenId)
    .option('--json', 'print {id, revoked_at}')
    .action((id: number, options: { json?: boolean }) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const { db, globals } = services
        const revokedAt = await db.write({}, (tx) => revokeToken(tx, globals, id, new Date()))
        if (revokedAt === undefined) {
          throw new CommandError(
            `There is no token ${id}. "wp-frames token list" lists the tokens.`,
          )
        }
        process.stdout.write(
          options.json
            ? jsonLine({ id, revoked_at: revokedAt })
            : `Token ${id} was revoked at ${revokedAt} GMT.\n`,
        )
      }),
    )
}
