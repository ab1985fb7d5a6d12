import { Command } from 'commander'
import { type IssuedToken, issueToken } from '../../auth/tokens.ts'
import { isSuperAdminEverywhere } from '../../wordpress/users/site-membership.ts'
import type { User } from '../../wordpress/users/users.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { expiresOption, expiryOf, getUserByLogin, parseLabel } from './token-arguments.ts'

type IssueOptions = { user: string; label: string; expires?: number; json?: boolean }

/** `token issue`: makes a token and prints it, once. */
export function issueTokenCommand(context: CliContext): Command {
  return new Command('issue')
    .description('make a token; it is shown once')
    .requiredOption('--user <login>', 'the WordPress user the token acts for')
    .option('--label <text>', 'what it is for', parseLabel, '')
    .addOption(expiresOption('how long it is good for, as in 90d; for ever if left out'))
    .option('--json', 'print {id, token, user_id, label, expires_at}')
    .action((options: IssueOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const user = await getUserByLogin(services, options.user)
        if (user.isBlocked) {
          throw new CommandError(
            `The user "${user.login}" is marked as spam or deleted: a token of theirs would not be valid.`,
          )
        }
        const now = new Date()
        const expiresAt = expiryOf(options.expires, now)
        const request = { userId: user.id, label: options.label, expiresAt, now }
        const issued = await services.db.write({}, (tx) =>
          issueToken(tx, services.globals, request),
        )
        process.stdout.write(formatIssuedToken(issued, options.json))
        await warnAboutScripts(services, user)
      }),
    )
}

/** Says on standard error what a site administrator's token can do that WordPress reserves for super administrators. */
async function warnAboutScripts({ config, db, globals }: CliServices, user: User): Promise<void> {
  if (config.markupWriters === 'super-admins') return
  if (await isSuperAdminEverywhere(db, globals, user)) return
  process.stderr.write(
    sanitizeForTerminal(
      `Warning: "${user.login}" is not a super administrator, and this token can write markup with scripts. Such a script runs for every visitor of the page; on a host that also serves /wp-admin/network/ it can act with the rights of a super administrator who visits. Set MARKUP_WRITERS=super-admins to let super administrators only write markup. See docs/security.md.\n`,
    ),
  )
}

/** The token alone, or as JSON all that is told of it. */
export function formatIssuedToken(
  { id, token, userId, label, expiresAt }: IssuedToken,
  json = false,
): string {
  if (!json) return `${token}\n`
  return jsonLine({ id, token, user_id: userId, label, expires_at: expiresAt })
}
