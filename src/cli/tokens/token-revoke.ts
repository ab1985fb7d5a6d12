import { Command } from 'commander'
import { saying } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { revokeTokenEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { jsonLine } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import { parseTokenId } from './token-arguments.ts'

type RevokeOptions = EnvironmentOptions & { readonly json?: true }

/** `token revoke <id>`: invalidates a token immediately. */
export function revokeTokenCommand(context: CliContext): Command {
  const command = new Command('revoke')
    .argument('<id>', 'its id, see "token list"', parseTokenId)
    .option('--json', 'print what DELETE /network/tokens/<id> answers')
    .addHelpText('after', examples('wp-frames token revoke 12'))
  return addEnvironmentOption(command).action((id: number, options: RevokeOptions) =>
    withService(context, options, async (service) => {
      const sentence = `There is no token ${id}. "wp-frames token list" lists the tokens.`
      const answer = await service
        .callNetwork(revokeTokenEndpoint, { params: { id: String(id) } })
        .catch(saying('token_not_found', sentence))
      process.stdout.write(
        options.json ? jsonLine(answer) : `Token ${id} was revoked at ${answer.revoked_at} GMT.\n`,
      )
    }),
  )
}
