import { Command } from 'commander'
import { revokeToken } from '../../auth/tokens.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { parseTokenId } from './token-arguments.ts'

/** `token revoke <id>`: makes a token invalid at once. */
export function revokeTokenCommand(context: CliContext): Command {
  return new Command('revoke')
    .description('make a token invalid, at once and for good')
    .argument('<id>', 'its id, as "token list" shows it', parseTokenId)
    .option('--json', 'print {id, revoked_at}')
    .action((id: number, options: { json?: boolean }) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const { db, globals } = services
        const revokedAt = await db.write({}, (tx) => revokeToken(tx, globals, id, new Date()))
        if (revokedAt === undefined) {
          throw new CommandError(`There is no token ${id}. See "token list".`)
        }
        process.stdout.write(
          options.json
            ? jsonLine({ id, revoked_at: revokedAt })
            : `Token ${id} is revoked since ${revokedAt} GMT.\n`,
        )
      }),
    )
}
