import { Command } from 'commander'
import type { TokenScope } from '../../auth/token-scopes.ts'
import { type IssuedToken, issueToken } from '../../auth/tokens.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import { isSuperAdminEverywhere } from '../../wordpress/users/site-membership.ts'
import type { User } from '../../wordpress/users/users.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import {
  expiresOption,
  expiryOf,
  getUserByLogin,
  parseLabel,
  parseSiteIds,
  scopeOption,
} from './token-arguments.ts'

type IssueOptions = {
  user: string
  label: string
  scope: TokenScope
  site?: number[]
  expires?: number
  json?: boolean
}

/** `token issue`: issues a token and prints it once. */
export function issueTokenCommand(context: CliContext): Command {
  return new Command('issue')
    .description('issue a token and print it once')
    .requiredOption('--user <login>', 'the WordPress user that the token acts as')
    .option('--label <text>', 'a note on the purpose of the token', parseLabel, '')
    .addOption(expiresOption('lifetime of the token, for example 90d; unlimited if omitted'))
    .addOption(scopeOption())
    .option('--site <ids>', 'the only sites that the token may use, for example 2,5', parseSiteIds)
    .option('--json', 'print {id, token, user_id, label, expires_at, scope, sites}')
    .action((options: IssueOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const user = await getUserByLogin(services, options.user)
        if (user.isBlocked) {
          throw new CommandError(
            `The user "${user.login}" is marked as spam or deleted, so a token of this user would be invalid.`,
          )
        }
        for (const blogId of options.site ?? []) {
          if (!(await findSite(services.db, services.globals, blogId)))
            throw new CommandError(
              `There is no site ${blogId}. "wp-frames sites" lists the sites of the network.`,
            )
        }
        const now = new Date()
        const expiresAt = expiryOf(options.expires, now)
        const limits = { scope: options.scope, sites: options.site ?? null }
        const request = { userId: user.id, label: options.label, expiresAt, limits, now }
        const issued = await services.db.write({}, (tx) =>
          issueToken(tx, services.globals, request),
        )
        process.stdout.write(formatIssuedToken(issued, options.json))
        if (options.scope === 'all' || options.scope === 'frames')
          await warnAboutScripts(services, user)
      }),
    )
}

/** Warns on standard error if the token can write scripts although its user is not a super administrator. */
async function warnAboutScripts({ config, db, globals }: CliServices, user: User): Promise<void> {
  if (config.markupWriters === 'super-admins') return
  if (await isSuperAdminEverywhere(db, globals, user)) return
  process.stderr.write(
    sanitizeForTerminal(
      `Warning: "${user.login}" is not a super administrator, but this token can write markup with scripts. Such a script runs for every visitor of the page; on a host that also serves /wp-admin/network/, it can act with the rights of a super administrator who opens the page. To restrict writing of markup to super administrators, set MARKUP_WRITERS=super-admins. See docs/security.md.\n`,
    ),
  )
}

/** The token alone, or a JSON object with its properties. */
export function formatIssuedToken(
  { id, token, userId, label, expiresAt, limits }: IssuedToken,
  json = false,
): string {
  if (!json) return `${token}\n`
  return jsonLine({ id, token, user_id: userId, label, expires_at: expiresAt, ...limits })
}
