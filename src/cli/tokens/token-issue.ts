import { Command } from 'commander'
import type { TokenScope } from '../../auth/token-scopes.ts'
import { isSuperAdminEverywhere } from '../../wordpress/users/site-membership.ts'
import type { User } from '../../wordpress/users/users.ts'
import { saying } from '../call-endpoint.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { issueTokenEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { getUserByLogin, noUserSentence } from '../get-user.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import {
  expiresOption,
  expiryOf,
  parseLabel,
  parseSiteIds,
  printIssued,
  scopeOption,
} from './token-arguments.ts'

type IssueOptions = EnvironmentOptions & {
  user: string
  label: string
  scope: TokenScope
  site?: number[]
  expires?: number
  json?: boolean
}

/** `token issue`: issues a token and prints it once. */
export function issueTokenCommand(context: CliContext): Command {
  const command = new Command('issue')
    .requiredOption('--user <login>', 'the WordPress user that the token acts as')
    .option('--label <text>', 'a note on the purpose of the token', parseLabel, '')
    .addOption(expiresOption('lifetime of the token, for example 90d; unlimited if omitted'))
    .addOption(scopeOption())
    .option('--site <ids>', 'the only sites that the token may use, for example 2,5', parseSiteIds)
    .option('--json', 'print what POST /network/tokens answers')
    .addHelpText(
      'after',
      examples(
        'wp-frames token issue --user alice --label deploy --expires 90d',
        'wp-frames token issue --user alice --scope menus --site 2,5',
      ),
    )
  return addEnvironmentOption(command).action((options: IssueOptions) =>
    withService(context, options, async (service) => {
      const { user: login, label, scope, site: sites, expires } = options
      const { database } = service
      const user = database && (await checkIssue(database, options))
      const expiresAt = expiryOf(expires, new Date())?.toISOString()
      const body = { user: login, label, scope, sites, expires_at: expiresAt }
      const issued = await service
        .callNetwork(issueTokenEndpoint, { body })
        .catch(saying('user_not_found', noUserSentence(login)))
      if (options.json) process.stdout.write(jsonLine(issued))
      else printIssued(issued)
      if (user && (scope === 'all' || scope === 'frames')) await warnAboutScripts(database, user)
    }),
  )
}

/**
 * Checks what the API does not, or describes in its own terms.
 * @throws CommandError
 */
async function checkIssue(services: CliServices, { user: login }: IssueOptions): Promise<User> {
  const user = await getUserByLogin(services, login)
  if (user.isBlocked) {
    throw new CommandError(
      `The user "${user.login}" is marked as spam or deleted, so a token of this user would be invalid.`,
    )
  }
  return user
}

/** What a script in markup can do, and how to prevent it. */
export const SCRIPTS_RISK =
  'Such a script runs for every visitor of the page; on a host that also serves /wp-admin/network/, it can act with the rights of a super administrator who opens the page. To restrict writing of markup to super administrators, set MARKUP_WRITERS=super-admins. The API explains this at /docs/security.'

/** Warns on standard error if the token can write scripts although its user is not a super administrator. */
async function warnAboutScripts({ config, db, globals }: CliServices, user: User): Promise<void> {
  if (config.markupWriters === 'super-admins') return
  if (await isSuperAdminEverywhere(db, globals, user)) return
  process.stderr.write(
    sanitizeForTerminal(
      `Warning: "${user.login}" is not a super administrator, but this token can write markup with scripts. ${SCRIPTS_RISK}\n`,
    ),
  )
}
