import { Command } from 'commander'
import { revokeTokenEndpoint } from '../../api/network/token.endpoints.ts'
import { callNetwork, saying } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { parseTokenId } from './token-arguments.ts'

/** `token revoke <id>`: invalidates a token immediately. */
export function revokeTokenCommand(context: CliContext): Command {
  return new Command('revoke')
    .description('invalidate a token immediately and permanently')
    .argument('<id>', 'its id, see "token list"', parseTokenId)
    .option('--json', 'print what DELETE /network/tokens/<id> answers')
    .action((id: number, options: { json?: boolean }) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const sentence = `There is no token ${id}. "wp-frames token list" lists the tokens.`
        const params = { id: String(id) }
        const answer = await callNetwork(services, revokeTokenEndpoint, { params }).catch(
          saying('token_not_found', sentence),
        )
        process.stdout.write(
          options.json
            ? jsonLine(answer)
            : `Token ${id} was revoked at ${answer.revoked_at} GMT.\n`,
        )
      }),
    )
}
