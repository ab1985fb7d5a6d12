import { Command } from 'commander'
import { issueTokenEndpoint } from '../../api/network/token.endpoints.ts'
import type { TokenScope } from '../../auth/token-scopes.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import { isSuperAdminEverywhere } from '../../wordpress/users/site-membership.ts'
import type { User } from '../../wordpress/users/users.ts'
import { callNetwork } from '../call-endpoint.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { getUserByLogin } from '../get-user.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import {
  expiresOption,
  expiryOf,
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
    .option('--json', 'print what POST /network/tokens answers')
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
        const { label, scope, site: sites, expires } = options
        const expiresAt = expiryOf(expires, new Date())?.toISOString()
        const issued = await callNetwork(services, issueTokenEndpoint, {
          body: { user: user.login, label, scope, sites, expires_at: expiresAt },
        })
        process.stdout.write(options.json ? jsonLine(issued) : `${issued.token}\n`)
        if (scope === 'all' || scope === 'frames') await warnAboutScripts(services, user)
      }),
    )
}

/** Warns on standard error if the token can write scripts although its user is not a super administrator. */
async function warnAboutScripts({ config, db, globals }: CliServices, user: User): Promise<void> {
  if (config.markupWriters === 'super-admins') return
  if (await isSuperAdminEverywhere(db, globals, user)) return
  process.stderr.write(
    sanitizeForTerminal(
      `Warning: "${user.login}" is not a super administrator, but this token can write markup with scripts. Such a script runs for every visitor of the page; on a host that also serves /wp-admin/network/, it can act with the rights of a super administrator who opens the page. To restrict writing of markup to super administrators, set MARKUP_WRITERS=super-admins. The API explains this at /docs/security.\n`,
    ),
  )
}
