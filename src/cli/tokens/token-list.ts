import { Command } from 'commander'
import { isActive, listTokens, type Token } from '../../auth/tokens.ts'
import { findUser } from '../../wordpress/users/users.ts'
import type { CliContext, CliServices } from '../cli-context.ts'
import { formatTable, jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { getUserByLogin } from './token-arguments.ts'

type ListOptions = { user?: string; json?: boolean }
type TokenWithLogin = Token & { readonly login: string | null }

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
    .option(
      '--json',
      'print [{id, user_id, login, label, created_at, last_used_at, expires_at, revoked_at, scope, sites, refused, failed}]',
    )
    .action((options: ListOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const { db, globals } = services
        const user =
          options.user === undefined ? undefined : await getUserByLogin(services, options.user)
        const tokens = await withLogins(services, await listTokens(db, globals, user?.id))
        const rows = tokens.map((token) => tokenRow(token, new Date()))
        process.stdout.write(
          options.json ? jsonLine(tokens) : formatTable([TOKEN_COLUMNS, ...rows]),
        )
      }),
    )
}

/** A deleted user has no login; the user's tokens are invalid. */
async function withLogins(
  { db, globals }: CliServices,
  tokens: readonly Token[],
): Promise<TokenWithLogin[]> {
  const ids = [...new Set(tokens.map((token) => token.user_id))]
  const users = await Promise.all(ids.map((id) => findUser(db, globals, id)))
  const logins = new Map(users.map((user) => [user?.id, user?.login]))
  return tokens.map(({ id, user_id, ...rest }) => ({
    id,
    user_id,
    login: logins.get(user_id) ?? null,
    ...rest,
  }))
}

function tokenRow(token: TokenWithLogin, now: Date): string[] {
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

function tokenState(token: TokenWithLogin, now: Date): string {
  if (token.revoked_at !== null) return 'revoked'
  return isActive(token, now) ? 'active' : 'expired'
}
