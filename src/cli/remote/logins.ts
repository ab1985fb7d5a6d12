import { readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { isFileNotFound } from '../../build/publishing/file-not-found.ts'
import type { Config } from '../../host/config/config.ts'
import { didYouMean } from '../../host/similar.ts'
import { writeFileAtomically } from '../atomic-write.ts'
import { CommandError } from '../cli-context.ts'
import { jsonIn } from '../read-input.ts'

/** A service and the token to use it, as `wp-frames login` has stored them under a name. */
export type Login = {
  readonly name: string
  /** The address of the API, without a slash at the end. */
  readonly url: string
  readonly token: string
  /** It may be used without TLS. */
  readonly insecure: boolean
}

/** The name of a login that was given no other. */
export const DEFAULT_LOGIN = 'default'

const FileSchema = z.object({
  logins: z.record(
    z.string(),
    z.object({ url: z.url(), token: z.string(), insecure: z.boolean().default(false) }),
  ),
})

/** Only the owner may read and write the file. */
const MODE = 0o600
const OTHERS = 0o077

/** The file of the logins (XDG Base Directory Specification; a relative path is invalid there). */
export function loginsFile({ xdgConfigHome: home = '' }: Pick<Config, 'xdgConfigHome'>): string {
  const folder = isAbsolute(home) ? home : join(homedir(), '.config')
  return join(folder, 'wp-frames', 'logins.json')
}

/**
 * All logins, by name.
 * @throws CommandError if others may read the file, or if it is damaged
 */
export async function readStoredLogins(config: Config): Promise<readonly Login[]> {
  const path = loginsFile(config)
  const text = await readFile(path, 'utf8').catch((error) => {
    if (isFileNotFound(error)) return undefined
    throw error
  })
  if (text === undefined) return []
  if (process.platform !== 'win32' && ((await stat(path)).mode & OTHERS) !== 0)
    throw new CommandError(
      `Other users of this machine can read the tokens in ${path}. Run: chmod 600 '${path}'. If they may have read them, revoke the tokens.`,
    )
  const parsed = FileSchema.safeParse(jsonIn(text))
  if (!parsed.success)
    throw new CommandError(
      `${path} is damaged. Remove it, and log in again with "wp-frames login".`,
    )
  return Object.entries(parsed.data.logins)
    .map(([name, login]) => ({ name, ...login }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Stores a login, in exchange for one with the same name. */
export async function storeLogin(config: Config, login: Login): Promise<void> {
  const others = (await readStoredLogins(config)).filter(({ name }) => name !== login.name)
  await writeLogins(config, [...others, login])
}

/** @returns whether there was one with this name */
export async function removeLogin(config: Config, name: string): Promise<boolean> {
  const logins = await readStoredLogins(config)
  const others = logins.filter((login) => login.name !== name)
  if (others.length === logins.length) return false
  if (others.length > 0) await writeLogins(config, others)
  else await rm(loginsFile(config), { force: true })
  return true
}

async function writeLogins(config: Config, logins: readonly Login[]): Promise<void> {
  const byName = logins.map(({ name, ...login }) => [name, login])
  const text = `${JSON.stringify({ logins: Object.fromEntries(byName) }, null, 2)}\n`
  await writeFileAtomically(loginsFile(config), Buffer.from(text), MODE)
}

/**
 * The login that a command uses: the one that `--env` or `WP_FRAMES_ENV` names. Without a name, a command works on the database; only if there is
 * none, it uses the login without a name.
 * @param name of `--env`
 * @throws CommandError if there is no login with this name
 */
export async function findLogin(
  config: Config,
  name = config.wpFramesEnv,
): Promise<Login | undefined> {
  if (name === undefined && config.databaseUrl !== undefined) return undefined
  const logins = await readStoredLogins(config)
  const login = logins.find((one) => one.name === (name ?? DEFAULT_LOGIN))
  if (login || name === undefined) return login
  throw noLogin(name, logins)
}

export function noLogin(name: string, logins: readonly Login[]): CommandError {
  const names = logins.map((login) => login.name)
  const known = names.length > 0 ? ` There are: ${names.join(', ')}.` : ''
  return new CommandError(
    `There is no login "${name}".${didYouMean(name, names)}${known} Log in with "wp-frames login <url> --name ${name}".`,
  )
}
