import { Command } from 'commander'
import { reissueToken } from '../../auth/tokens.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { expiresOption, expiryOf, parseTokenId } from './token-arguments.ts'
import { formatIssuedToken } from './token-issue.ts'

type ReissueOptions = { expires?: number; json?: boolean }

/** `token reissue <id>`: revokes a token and prints another in its place. */
export function reissueTokenCommand(context: CliContext): Command {
  return new Command('reissue')
    .description(
      'replace a token by a new one with the same user and label; the old one is revoked',
    )
    .argument('<id>', 'the id of the old one', parseTokenId)
    .addOption(
      expiresOption('how long the new one is good for; as long as the old one if left out'),
    )
    .option('--json', 'print {id, token, user_id, label, expires_at}')
    .action((id: number, options: ReissueOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const { db, globals } = services
        const now = new Date()
        const expiresAt = expiryOf(options.expires, now)
        const issued = await db.write({}, (tx) => reissueToken(tx, globals, { id, expiresAt, now }))
        if (!issued) {
          throw new CommandError(
            `There is no token ${id} to replace: it was never issued, or is revoked. Make one with "token issue".`,
          )
        }
        process.stdout.write(formatIssuedToken(issued, options.json))
      }),
    )
}
