import { CommandError } from '#wp-frames/cli/cli-context'
import { parseBody } from '../../compare/compare-answers.ts'
import type { ComparedRequest, TimedAnswer } from '../../compare/compared-request.ts'
import type { ComparedSide, SideAddress } from './compared-side.ts'

/** Every endpoint of the contract answers this, for the token of any user. */
const PROBE: ComparedRequest = {
  kind: 'frames',
  route: 'GET /frames',
  method: 'GET',
  path: '/frames?q=wp-frames-compare-nothing',
}

/** A route of wp-frames alone. */
export const ME: ComparedRequest = { kind: 'error', route: 'GET /me', method: 'GET', path: '/me' }

/** How often it is asked while it answers with an error of the server. */
const ATTEMPTS = 3

/**
 * Checks that a side is an endpoint of the contract and accepts the token, before anything else is asked.
 * @throws CommandError with what was found and what to do
 */
export async function assertEndpoint(side: ComparedSide): Promise<void> {
  const { name, url } = side.address
  let answer = await side.ask(PROBE)
  // An error at times is a finding of the comparison.
  for (let attempt = 1; attempt < ATTEMPTS && answer.status >= 500; attempt += 1)
    answer = await side.ask(PROBE)
  const fault = faultOf(answer, side.address)
  if (fault !== undefined) throw new CommandError(`${name} (${url}) ${fault}`)
}

function faultOf(
  { status, headers, body }: TimedAnswer,
  { option, tokenOption }: SideAddress,
): string | undefined {
  if (status >= 300 && status <= 399)
    return `redirects to ${headers.location ?? 'another address'}. The token was not sent there. Name the address of the API itself in ${option}, such as https://example.org/wp-json/svc/v1, and check that it needs no login.`
  const { value } = parseBody(body)
  if (value === undefined)
    return `answers ${status} with ${describeBody(headers['content-type'])} instead of JSON. Check the address in ${option}: it is the one that /site/<id>/frames is below.`
  const { success, frames, code } = { ...(value as Record<string, unknown>) }
  if (status === 401)
    return `refuses the token (${code}). Check ${tokenOption}: it begins with op_ and has 64 characters after that.`
  const isFrames = status === 200 && success === true && Array.isArray(frames)
  // The token may belong to a user who does not administer the main site.
  if (isFrames || (status === 403 && code === 'insufficient_role')) return undefined
  if (status === 404 && code === 'rest_no_route')
    return `has no route /frames. Check the address in ${option}: it is the one that /site/<id>/frames is below.`
  if (status >= 500) return `answers ${status}. Look into its log, and try again.`
  return `answers ${status} with something else than a list of frames. Check the address in ${option}.`
}

function describeBody(contentType = ''): string {
  if (contentType.includes('html')) return 'a page of HTML'
  return contentType === '' ? 'something' : contentType
}

/** Whether an endpoint is wp-frames: no other one has this route. */
export async function isWpFrames(side: ComparedSide): Promise<boolean> {
  const { status, body } = await side.ask(ME)
  const { value } = parseBody(body)
  return status === 200 && typeof value === 'object' && value !== null && 'user' in value
}
