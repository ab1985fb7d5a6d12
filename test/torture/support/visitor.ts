import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/** The response to a visitor; the status is undefined if there was none. */
export type PageResponse = { readonly status: number | undefined; readonly body: string }

/** Requests a page by its address from the front, as a browser does. Never throws. */
export function requestPage(frontUrl: string, pageUrl: string): Promise<PageResponse> {
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
