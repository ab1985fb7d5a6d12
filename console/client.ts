import { computed } from '@preact/signals'
import { type Client, createClient, ServiceError } from '../packages/client/src/index.ts'
import { signOut, token } from './session.ts'

/** The console is at `<base>/console/`, and the API at `<base>`. */
const BASE = new URL('..', document.baseURI).href.replace(/\/$/, '')

/** A client with a token. The session ends when the API refuses its token. A person repeats a failed call, so the client does not. */
export function clientWith(given: string): Client {
  return createClient({
    url: BASE,
    token: given,
    retries: 0,
    idempotencyKeys: false,
    fetch: async (request) => {
      const response = await fetch(request)
      if (response.status === 401 && given === token.value)
        signOut(
          'The token is no longer valid: it has expired or was revoked. Sign in with another one.',
        )
      return response
    },
  })
}

const sessionClient = computed(() => clientWith(token.value ?? ''))

/** The client of the session. @throws TypeError before the sign-in */
export const api = (): Client => sessionClient.value

/** Any error of a call, as one to show. */
export function asServiceError(error: unknown): ServiceError {
  if (!(error instanceof ServiceError))
    return new ServiceError(
      { code: 'unexpected_response', status: 0, fields: {} },
      `The console failed: ${error}. Reload the page.`,
    )
  if (error.code !== 'connection_failed') return error
  return new ServiceError(
    { code: 'connection_failed', status: 0, fields: {} },
    'The service did not answer. Check the connection, then try again.',
  )
}
