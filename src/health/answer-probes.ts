import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReadinessProbe } from './readiness.ts'

/** `localhost`, an IPv4 address, or an IPv6 address in brackets, with a port or without. */
const BY_ADDRESS = /^(?:localhost|\d+(?:\.\d+){3}|\[[0-9a-f:.]+\])(?::\d+)?$/i

/**
 * Answers `GET /healthz`: the process is alive; and `GET /readyz`: it can answer requests, else 503 with the part that is down. Neither
 * takes a token or counts against a limit.
 * @param byAddressOnly leaves requests that name a host to others: below a site's name, every path is the site's
 */
export function answerProbes(
  probe: Pick<ReadinessProbe, 'read'>,
  { byAddressOnly }: { readonly byAddressOnly: boolean },
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path !== '/healthz' && path !== '/readyz') return false
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (byAddressOnly && !BY_ADDRESS.test(request.headers.host ?? '')) return false
    if (path === '/healthz') sendJson(response, 200, { status: 'ok' })
    else void sendReadiness(probe, response)
    return true
  }
}

/** A probe that fails must not end the process. */
async function sendReadiness(
  probe: Pick<ReadinessProbe, 'read'>,
  response: ServerResponse,
): Promise<void> {
  try {
    const found = await probe.read()
    sendJson(response, found.status === 'ready' ? 200 : 503, found)
  } catch {
    sendJson(response, 503, { status: 'unready', parts: {} })
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(JSON.stringify(body))
}
