import { Contract } from '../../test/support/contract.ts'
import type { Received, Sent } from './exchange.ts'

const contract = new Contract()

/** What only the inside of the service says, and no text of the corpus. */
const INSIDE =
  /error in your SQL|\bER_[A-Z]+_|sqlState|sqlMessage|node_modules|\bat \S+ \(|Unknown column|Incorrect string value|Duplicate entry|Data too long|Illegal mix|COLLATION|svc_tokens|\.(?:ts|js):\d+/

/** Refusals that say which of a site's rows is damaged, or that a page could not be built for it. */
const CLEAR = /"error":"(?:frame_unreadable|menu_assignment_not_stored|internal_unavailable)"/

/**
 * What an answer of the API may not be; a sentence each.
 * @param mayFail where rows are damaged, and an answer may say so
 */
export function faultsOfApi(
  sent: Sent,
  { status, headers, text }: Received,
  mayFail = false,
): string[] {
  if (status === undefined) return [`no answer (${text})`]
  const [inside] = INSIDE.exec(text) ?? []
  const told = sent.body?.toString().includes(inside ?? '\0') || sent.path.includes(inside ?? '\0')
  const { method, path } = sent
  return [
    ...(status >= 500 && !(mayFail && CLEAR.test(text))
      ? [`${status}: ${text.slice(0, 300)}`]
      : []),
    ...(inside !== undefined && !told ? [`it tells of the inside: ${inside}`] : []),
    ...contract.faultsOf({ method, path, status, headers, body: text }),
  ]
}

/** What an answer of the front may not be. */
export function faultsOfFront({ status, text }: Received): string[] {
  if (status === undefined) return [`no answer (${text})`]
  const [inside] = INSIDE.exec(text) ?? []
  return [
    ...(status >= 500 ? [`${status}: ${text.slice(0, 300)}`] : []),
    ...(inside === undefined ? [] : [`it tells of the inside: ${inside}`]),
  ]
}
