import { Command } from 'commander'
import { presentIssuedToken } from '../../api/endpoints/tokens.ts'
import { reissueToken } from '../../auth/tokens.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { expiresOption, expiryOf, parseTokenId, printIssued } from './token-arguments.ts'

type ReissueOptions = { expires?: number; json?: boolean }

/** `token reissue <id>`: revokes a token and prints its replacement. */
export function reissueTokenCommand(context: CliContext): Command {
  return new Command('reissue')
    .argument('<id>', 'the id of the old token', parseTokenId)
    .addOption(expiresOption('lifetime of the new token; that of the old token if omitted'))
    .option('--json', 'print what POST /network/tokens answers for the new token')
    .addHelpText(
      'after',
      examples('wp-frames token reissue 12', 'wp-frames token reissue 12 --expires 90d'),
    )
    .action((id: number, options: ReissueOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const { db, globals } = services
        const now = new Date()
        const expiresAt = expiryOf(options.expires, now)
        const issued = await db.write({}, (tx) => reissueToken(tx, globals, { id, expiresAt, now }))
        if (!issued) {
          throw new CommandError(
            `Token ${id} cannot be replaced: it was never issued or is revoked. Issue a new one with "wp-frames token issue".`,
          )
        }
        const answer = { success: true, warnings: [], ...presentIssuedToken(issued) }
        if (options.json) process.stdout.write(jsonLine(answer))
        else printIssued(issued)
      }),
    )
}
