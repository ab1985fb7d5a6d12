import type { RequestHandler } from 'express'
import ipaddr from 'ipaddr.js'
import type { Log } from '../host/log.ts'

/**
 * Rewrites `X-Forwarded-For` to bare addresses. Some proxies add the port of the client, and brackets or quotes around it (Azure's Application Gateway;
 * RFC 7239, section 6). With these, a client would have a limit of its own for each connection, and a proxy would not be recognised as a trusted one.
 * An element that is no address stays as it is, and the log says so once.
 */
export function readForwardedAddresses(log: Log): RequestHandler {
  let isWarned = false
  return ({ headers }, _response, next) => {
    const sent = headers['x-forwarded-for']
    if (sent === undefined) return next()
    const elements = String(sent)
      .split(',')
      .map((element) => bareAddress(element.trim()))
    headers['x-forwarded-for'] = elements.join(', ')
    const unreadable = elements.find((element) => element !== '' && !ipaddr.isValid(element))
    if (unreadable !== undefined && !isWarned) {
      isWarned = true
      log.warn(
        { element: unreadable.slice(0, MAX_LOGGED_LENGTH) },
        'X-Forwarded-For contains an element that is no address. Its clients are counted by this text: those who share it share their limits. Let the proxy send the address of the client',
      )
    }
    next()
  }
}

const MAX_LOGGED_LENGTH = 100

/** The address in `ip:port`, `[ipv6]:port`, `[ipv6]` or a quoted one of these; any other text as it is. */
function bareAddress(element: string): string {
  const text = element.replace(/^"(.*)"$/, '$1')
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d*)?|(\d+(?:\.\d+){3}):\d*)$/.exec(text) ?? []
  const address = bracketed ?? dotted ?? text
  return ipaddr.isValid(address) ? address : element
}
