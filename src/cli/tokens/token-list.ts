import { Command } from 'commander'
import { listTokensEndpoint } from '../../api/network/token.endpoints.ts'
import { isActive } from '../../auth/tokens.ts'
import { callNetwork, saying } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { noUserSentence } from '../get-user.ts'
import { formatTable, jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'

const TOKEN_COLUMNS = [
  'id',
  'user',
  'label',
  'scope',
  'sites',
  'created',
  'last used',
  'expires',
  'state',
  'refused',
  'failed',
]

/** `token list`: lists the issued tokens; the tokens themselves are not stored. */
export function listTokensCommand(context: CliContext): Command {
  return new Command('list')
    .description('list the issued tokens')
    .option('--user <login>', 'only tokens of this user')
    .option('--json', 'print what GET /network/tokens answers')
    .action(({ user, json }: { readonly user?: string; readonly json?: true }) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const answer = await callNetwork(services, listTokensEndpoint, { query: { user } }).catch(
          saying('user_not_found', noUserSentence(user)),
        )
        const rows = answer.tokens.map((token) => tokenRow(token, new Date()))
        process.stdout.write(json ? jsonLine(answer) : formatTable([TOKEN_COLUMNS, ...rows]))
      }),
    )
}

type ListedToken = NonNullable<(typeof listTokensEndpoint)['$response']>['tokens'][number]

function tokenRow(token: ListedToken, now: Date): string[] {
  return [
    String(token.id),
    token.login ?? `(${token.user_id})`,
    token.label,
    token.scope,
    token.sites?.join() ?? 'all',
    token.created_at,
    token.last_used_at ?? 'never',
    token.expires_at ?? 'never',
    tokenState(token, now),
    String(token.refused),
    String(token.failed),
  ]
}

function tokenState(token: ListedToken, now: Date): string {
  if (token.revoked_at !== null) return 'revoked'
  return isActive(token, now) ? 'active' : 'expired'
}
