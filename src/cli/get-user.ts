import { findUserByLogin, type User } from '../wordpress/users/users.ts'
import { type CliServices, CommandError } from './cli-context.ts'

/** The error for a login that no user has. */
export const noUserSentence = (login = ''): string =>
  `There is no user with the login "${login}". The logins are in wp-admin under Network Admin, Users; WP-CLI lists them with "wp user list --network --field=user_login".`

/** @throws CommandError if no user has this login */
export async function getUserByLogin({ db, globals }: CliServices, login: string): Promise<User> {
  const user = await findUserByLogin(db, globals, login)
  if (user) return user
  throw new CommandError(noUserSentence(login))
}

/**
 * The id of the author that `--user` names; 0 without one.
 * @throws CommandError if no user has this login
 */
export async function getAuthorId(
  services: CliServices,
  login: string | undefined,
): Promise<number> {
  return login === undefined ? 0 : (await getUserByLogin(services, login)).id
}
