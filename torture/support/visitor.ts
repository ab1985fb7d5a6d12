import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/** What a visitor is given: the status, or undefined where there was no answer. */
export type Visit = { readonly status: number | undefined; readonly body: string }

/** Asks the front for a page by its address, as a browser does; never throws. */
export function visit(frontUrl: string, pageUrl: string): Promise<Visit> {
  const { host, pathname } = new URL(pageUrl)
  return new Promise((resolve) => {
    const sent = request(new URL(pathname, frontUrl), { headers: { Host: host } }, (response) =>
      text(response).then(
        (body) => resolve({ status: response.statusCode, body }),
        (error) => resolve({ status: undefined, body: String(error) }),
      ),
    )
    sent.on('error', (error) => resolve({ status: undefined, body: error.message }))
    sent.end()
  })
}
