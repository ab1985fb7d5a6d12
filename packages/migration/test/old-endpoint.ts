import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ApiOptions } from '../../../src/api/api-app.ts'
import { parseFamilies } from '../../../src/host/families.ts'
import { type Listening, listen } from '../../../test/support/listen.ts'
import { LegacyEndpoint } from '../src/old-endpoint/legacy-endpoint.ts'
import { type Passing, passRequests } from '../src/old-endpoint/pass-requests.ts'

/** What an old endpoint has received. */
type ReceivedRequest = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An HTTP server that records requests, and answers them as `answer` says. */
export type OldEndpoint = Listening & {
  readonly url: string
  readonly received: ReceivedRequest[]
  answer: RequestListener
}

/** Starts one that answers every request with an empty JSON object. */
export async function startOldEndpoint(): Promise<OldEndpoint> {
  const received: ReceivedRequest[] = []
  const old = {
    received,
    answer: ((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    }) as RequestListener,
  }
  const server = await listen(async (request, response) => {
    const { method, url, headers } = request
    const body = await text(request).catch(() => '(aborted)')
    received.push({ method, url, headers, body })
    old.answer(request, response)
  })
  return Object.assign(old, server, { url: `http://127.0.0.1:${server.port}/old/v1` })
}

/** The options with which the API passes requests to an endpoint. */
export function legacyAt(
  url: string,
  families = '',
  { timeoutMs = 5000, maxBodyBytes = 8 * 1024 * 1024 } = {},
): Passed {
  return passing({
    endpoint: new LegacyEndpoint({ url, timeoutMs, maxBodyBytes }),
    families: families === '' ? new Map() : parseFamilies(families),
    mayPass: async () => true,
  })
}

type Passed = Required<Pick<ApiOptions, 'passRequests'>>

/** The same for an endpoint that is open already. */
export const passing = (to: Passing): Passed => ({
  passRequests: (services) => passRequests({ ...services, ...to }),
})
