import { type Client, type ClientOptions, createClient, isServiceError, type Retry } from '#client'
import { CommandError } from '../cli-context.ts'
import { warn } from '../terminal.ts'
import type { Login } from './logins.ts'
import { assertSecure } from './service-address.ts'

/**
 * A client of the service of a login.
 * @throws CommandError if it would send the token without TLS
 */
export function httpClient(
  { url, token, insecure }: Omit<Login, 'name'>,
  options: Pick<ClientOptions, 'retries'> = {},
): Client {
  assertSecure(url, insecure)
  return createClient({ url, token, onRetry: announce, ...options })
}

/**
 * For `catch` after a call.
 * @throws CommandError for a token that the service does not accept; other errors as they are
 */
export const refusedToken =
  ({ url, name }: Pick<Login, 'url' | 'name'>) =>
  (error: unknown): never => {
    if (!isServiceError(error) || error.status !== 401) throw error
    throw new CommandError(
      `${error.message} Log in again with "wp-frames login ${url} --name ${name}".`,
    )
  }

function announce({ waitSeconds, reason }: Retry): void {
  // A shorter wait is not noticed.
  if (waitSeconds < 1) return
  const why = reason instanceof Error ? 'The service does not answer' : 'The service is busy'
  warn([`${why}; trying again in ${Math.ceil(waitSeconds)} s.`])
}
