import { computed, signal } from '@preact/signals'
import { type Client, createClient, ServiceError } from '../../client/src/index.ts'
import { sleep } from '../../client/src/retrying-fetch.ts'
import { signOut, token } from './session.ts'

/** The console is at `<base>/console/`, and the API at `<base>`. */
const BASE = new URL('..', document.baseURI).href.replace(/\/$/, '')

/** The longest time for which a refused read waits by itself, in seconds. */
const MAX_WAIT = 60

/** How long reads wait because the token has sent too many requests, in seconds; undefined if none waits. */
export const waiting = signal<number | undefined>(undefined)

/** Sends a request. A read that is refused because there were too many is sent again when the service says so; a person repeats a write. */
async function fetchWhenAllowed(request: Request): Promise<Response> {
  for (;;) {
    const response = await fetch(request.clone()).catch((error: unknown) => {
      if (!request.signal.aborted) lostConnection()
      throw error
    })
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
    if (request.method !== 'GET' || response.status !== 429 || !(seconds <= MAX_WAIT))
      return response
    waiting.value = seconds
    try {
      await sleep(Math.max(seconds, 1), request.signal)
    } finally {
      waiting.value = undefined
    }
  }
}

/** A client with a token. The session ends when the API refuses its token. A person repeats a failed call, so the client does not. */
export function clientWith(given: string): Client {
  return createClient({
    url: BASE,
    token: given,
    retries: 0,
    idempotencyKeys: false,
    fetch: async (request) => {
      const response = await fetchWhenAllowed(request)
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

/**
 * Opens a stream of events, behind a cursor. The browser's own `EventSource` sends no token.
 * @param path below the address of the API
 */
export const openStream = (path: string, since: string, signal: AbortSignal): Promise<Response> =>
  fetch(`${BASE}${path}?${new URLSearchParams({ since })}`, {
    headers: { Authorization: `Bearer ${token.value}`, Accept: 'text/event-stream' },
    redirect: 'error',
    signal,
  })

/** Any error of a call, as one to show. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.code !== 'connection_failed') return error
  // A file of the console that cannot be loaded: the message differs between browsers.
  const isFile = error instanceof TypeError && /module/i.test(error.message)
  if (isFile) void askAgain(true)
  if (isFile || error instanceof ServiceError)
    return new ServiceError(
      { code: 'connection_failed', status: 0, fields: {} },
      'The service did not answer. Check the connection, then try again.',
    )
  return new ServiceError(
    { code: 'unexpected_response', status: 0, fields: {} },
    `The console failed: ${error}. Reload the page.`,
  )
}

/**
 * Whether the service answers. `updated`: it has files of another version than this tab, so that views which are not loaded yet are gone.
 */
export const connection = signal<'online' | 'offline' | 'updated'>('online')

/** Pause between two tries while the service does not answer, in milliseconds. */
const TRY_AGAIN_MS = 3000

let timer: ReturnType<typeof setTimeout> | undefined

/** The address of the console's page, which names the files of its version. */
const PAGE = document.baseURI.split('#', 1)[0] ?? ''
const SCRIPT = /assets\/main-\w+\.js/

/** A request was not answered: tries again until one is. */
function lostConnection(): void {
  if (connection.value === 'updated') return
  connection.value = 'offline'
  clearTimeout(timer)
  timer = setTimeout(askAgain, TRY_AGAIN_MS)
}

/**
 * Asks whether the service is there, and whether it has the files of this tab.
 * @param misses whether a file could not be loaded
 */
export async function askAgain(misses = false): Promise<void> {
  clearTimeout(timer)
  const page = await fetch(PAGE, { cache: 'no-store' })
    .then((response) => (response.ok ? response.text() : undefined))
    .catch(() => undefined)
  if (page === undefined) return lostConnection()
  const [own] = SCRIPT.exec(document.querySelector('script')?.src ?? '') ?? []
  const [served] = SCRIPT.exec(page) ?? []
  if (own !== served) connection.value = 'updated'
  else if (misses) lostConnection()
  else connection.value = 'online'
}

addEventListener('online', () => {
  if (connection.value === 'offline') void askAgain()
})
// A browser without a network may still reach a service on the same machine.
addEventListener('offline', () => void askAgain())
