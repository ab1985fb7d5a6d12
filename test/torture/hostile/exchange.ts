import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A request as it is sent. */
export type Sent = {
  readonly method: string
  /** Path and query, encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** The response; the status is undefined without one. */
export type Received = {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Longer than any answer may take, in milliseconds. */
const SILENCE_MS = 30_000

/** Sends a request unchanged, without the corrections of a client library. Never throws. */
export function exchange(url: string, sent: Sent, agent?: Agent): Promise<Received> {
  const { hostname, port } = new URL(url)
  const { method, path, body } = sent
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((resolve) => {
    const nothing = (reason: string) => resolve({ status: undefined, headers: {}, text: reason })
    try {
      const going = request(
        { hostname, port, method, path, headers: { ...length, ...sent.headers }, agent },
        async (response) => {
          const chunks: Buffer[] = []
          try {
            for await (const chunk of response) chunks.push(chunk)
          } catch (error) {
            return nothing(String(error))
          }
          const { statusCode: status, headers } = response
          resolve({ status, headers, text: Buffer.concat(chunks).toString() })
        },
      )
      going.setTimeout(SILENCE_MS, () => going.destroy(new Error('silence')))
      going.on('error', (error) => nothing(error.message))
      going.end(body)
    } catch (error) {
      nothing(String(error))
    }
  })
}

/** The request as one line from which it can be repeated. */
export function spelled({ method, path, headers, body }: Sent): string {
  const { Authorization: _secret, ...shown } = headers
  const text = body === undefined ? '' : JSON.stringify(body.toString('utf8'))
  const cut = text.length > 2000 ? `${text.slice(0, 2000)}... (${text.length} characters)` : text
  return `${method} ${path.slice(0, 500)} ${JSON.stringify(shown)} ${cut}`.trim()
}
