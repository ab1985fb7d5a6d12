import { Command } from 'commander'
import { isActive } from '../../auth/tokens.ts'
import { type AnswerOf, saying } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { listTokensEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { noUserSentence } from '../get-user.ts'
import { addListOptions, formatRows, type List, type ListOptions } from '../list-output.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'

type ListedToken = AnswerOf<typeof listTokensEndpoint>['tokens'][number]

const TOKENS: List<ListedToken> = {
  id: 'id',
  shown: [
    'id',
    'login',
    'label',
    'scope',
    'sites',
    'created_at',
    'last_used_at',
    'expires_at',
    'state',
    'refused',
    'failed',
  ],
  others: ['user_id', 'revoked_at'],
  cells: {
    login: ({ login, user_id }) => login ?? `(${user_id})`,
    sites: ({ sites }) => sites ?? 'all',
    last_used_at: ({ last_used_at }) => last_used_at ?? 'never',
    expires_at: ({ expires_at }) => expires_at ?? 'never',
    state: tokenState,
  },
}

type TokenListOptions = ListOptions &
  EnvironmentOptions & { readonly user?: string; readonly all?: true }

/** `token list`: lists the issued tokens; the tokens themselves are not stored. */
export function listTokensCommand(context: CliContext): Command {
  const command = new Command('list')
    .option('--user <login>', 'only tokens of this user')
    .option('--all', 'also tokens that are revoked; --json without --fields always has them')
    .addHelpText(
      'after',
      examples(
        'wp-frames token list',
        'wp-frames token list --all --format csv',
        'wp-frames token list --user alice --format ids | xargs -r -n 1 wp-frames token revoke',
      ),
    )
  addListOptions(command, TOKENS, 'what GET /network/tokens answers')
  return addEnvironmentOption(command).action((options: TokenListOptions) =>
    withService(context, options, async (service) => {
      const { user, all } = options
      const answer = await service
        .callNetwork(listTokensEndpoint, { query: { user } })
        .catch(saying('user_not_found', noUserSentence(user)))
      const tokens = answer.tokens.filter(({ revoked_at }) => all || revoked_at === null)
      process.stdout.write(formatRows(TOKENS, tokens, answer, options))
    }),
  )
}

function tokenState(token: ListedToken): string {
  if (token.revoked_at !== null) return 'revoked'
  return isActive(token, new Date()) ? 'active' : 'expired'
}
