import { findUserByLogin } from '../wordpress/users/users.ts'
import { type CliServices, CommandError } from './cli-context.ts'

/**
 * The id of the author that `--user` names; 0 without one.
 * @throws CommandError if no user has this login
 */
export async function getAuthorId(
  { db, globals }: CliServices,
  login: string | undefined,
): Promise<number> {
  if (login === undefined) return 0
  const user = await findUserByLogin(db, globals, login)
  if (user) return user.id
  throw new CommandError(
    `There is no user with the login "${login}". The logins are in wp-admin under Network Admin, Users; WP-CLI lists them with "wp user list --network --field=user_login".`,
  )
}
