import { Command } from 'commander'
import type { CliContext } from './cli-context.ts'
import { issueTokenCommand } from './token-issue.ts'
import { listTokensCommand } from './token-list.ts'
import { reissueTokenCommand } from './token-reissue.ts'
import { revokeTokenCommand } from './token-revoke.ts'

/** `token issue|list|revoke|reissue`: API tokens. */
export function tokenCommand(context: CliContext): Command {
  const token = new Command('token').description('API tokens')
  for (const command of [
    issueTokenCommand,
    listTokensCommand,
    revokeTokenCommand,
    reissueTokenCommand,
  ]) {
    token.addCommand(command(context))
  }
  return token
}
