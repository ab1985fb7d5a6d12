import { Contract } from '../../support/contract.ts'
import type { Received, Sent } from './exchange.ts'

const contract = new Contract()

/** Texts of internal errors, which no text of the corpus contains. A line of a stack ends with a file, line and column: sentences too say where something is. */
const INSIDE =
  /error in your SQL|\bER_[A-Z]+_|sqlState|sqlMessage|node_modules|\bat \S+ \(\S+:\d+:\d+\)|node:internal|Unknown column|Incorrect string value|Duplicate entry|Data too long|Illegal mix|COLLATION|svc_tokens|\.(?:ts|js):\d+/

/** Codes of responses that report a damaged row of the site, or a page that could not be built for it. */
const CLEAR = /"error":"(?:frame_unreadable|menu_assignment_not_stored|internal_unavailable)"/

/**
 * The faults of an answer of the API, one sentence each.
 * @param mayFail whether rows are damaged and the answer may report it
 */
export function faultsOfApi(
  sent: Sent,
  { status, headers, text }: Received,
  mayFail = false,
): string[] {
  if (status === undefined) return [`no answer (${text})`]
  const [inside] = INSIDE.exec(text) ?? []
  const isEcho =
    sent.body?.toString().includes(inside ?? '\0') || sent.path.includes(inside ?? '\0')
  const { method, path } = sent
  return [
    ...(status >= 500 && !(mayFail && CLEAR.test(text))
      ? [`${status}: ${text.slice(0, 300)}`]
      : []),
    ...(inside !== undefined && !isEcho ? [`it reveals an internal error: ${inside}`] : []),
    ...contract.faultsOf({ method, path, status, headers, body: text }),
  ]
}

/** The faults of an answer of the front. */
export function faultsOfFront({ status, text }: Received): string[] {
  if (status === undefined) return [`no answer (${text})`]
  const [inside] = INSIDE.exec(text) ?? []
  return [
    ...(status >= 500 ? [`${status}: ${text.slice(0, 300)}`] : []),
    ...(inside === undefined ? [] : [`it reveals an internal error: ${inside}`]),
  ]
}
