import { Command } from 'commander'
import { issueToken } from '../callers/issue-token.ts'
import { findUserByLogin } from '../wordpress/users/find-user.ts'
import { type CliContext, CommandError } from './context.ts'
import { withServices } from './with-services.ts'

type IssueOptions = { user: string; label: string; expires?: string; json?: boolean }

/** `token issue`: makes API tokens. */
export function tokenCommand(context: CliContext): Command {
  const token = new Command('token').description('API tokens')
  token
    .command('issue')
    .description('make a token; it is shown once')
    .requiredOption('--user <login>', 'the WordPress user the token acts for')
    .option('--label <text>', 'what it is for', '')
    .option('--expires <days>', 'how long it is good for, as in 90d')
    .option('--json', 'print {id, token, user_id, label, expires_at}')
    .action((options: IssueOptions) =>
      withServices(context, async ({ db, globals }) => {
        const user = await findUserByLogin(db, globals, options.user)
        if (!user) throw new CommandError(`There is no user with the login "${options.user}".`)
        const now = new Date()
        const issued = await db.transaction((tx) =>
          issueToken(tx, globals, {
            userId: user.id,
            label: options.label,
            expiresAt: expiry(options.expires, now),
            now,
          }),
        )
        const { id, token: text, userId, label, expiresAt } = issued
        process.stdout.write(
          options.json
            ? `${JSON.stringify({ id, token: text, user_id: userId, label, expires_at: expiresAt })}\n`
            : `${text}\n`,
        )
      }),
    )
  return token
}

const DAY_MS = 86_400_000

function expiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  if (Number(days) > 0) return new Date(now.getTime() + Number(days) * DAY_MS)
  throw new CommandError(`"${text}" is no time to expire in. Write a number of days, as in 90d.`)
}
