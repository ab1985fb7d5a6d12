import { parseTime } from '#wp-frames/content/restore/moment'
import {
  MAX_TOKEN_SITES,
  TOKEN_SCOPES,
  type TokenLimits,
} from '#wp-frames/record/auth/token-scopes'
import { hashToken, labelFault } from '#wp-frames/record/auth/tokens'
import { shownText, type TokenFileRow } from './token-rows.ts'
import { findHashWeakness, findWeakness, SECRET_RULE } from './weak-secrets.ts'

/** A valid row of a file. Its user and its sites are not looked up yet. */
export type TokenToImport = {
  readonly row: number
  readonly hash: Buffer
  /** Whether the file has the secret itself. */
  readonly isSecret: boolean
  readonly login: string
  readonly label: string
  /** GMT; null if it does not expire. */
  readonly expiresAt: string | null
  readonly limits: TokenLimits
}

/** Reads a row, or says what is wrong with it, without a secret. */
export function readTokenRow({
  row,
  fields,
  problems: formProblems,
}: TokenFileRow): TokenToImport | { readonly problems: readonly string[] } {
  if (formProblems.length > 0) return { problems: formProblems }
  const problems: string[] = []
  const report = <T>(problem: string, value: T): T => {
    problems.push(problem)
    return value
  }
  const { token, sha256, user, label, expires_at, scope, sites } = fields
  const hash = readHash(token, sha256, report)
  const read = {
    row,
    hash,
    isSecret: isGiven(token),
    login: readLogin(user, report),
    label: readLabel(label, report),
    expiresAt: readExpiry(expires_at, report),
    limits: { scope: readScope(scope, report), sites: readSites(sites, report) },
  }
  return problems.length > 0 ? { problems } : read
}

type ReportFault = <T>(problem: string, value: T) => T

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const NO_HASH = Buffer.alloc(0)

function readHash(token: unknown, sha256: unknown, report: ReportFault): Buffer {
  if (isGiven(token) === isGiven(sha256))
    return report(
      isGiven(token)
        ? 'has token and sha256; write one of them'
        : 'has no token and no sha256; write the secret, or its SHA-256 with 64 hexadecimal digits',
      NO_HASH,
    )
  if (isGiven(token)) {
    if (typeof token !== 'string')
      return report(`token: is ${shownText(token)}, not a text`, NO_HASH)
    const weakness = findWeakness(token)
    if (weakness === undefined) return hashToken(token)
    return report(
      `token: the secret is not strong: ${weakness}. A secret is ${SECRET_RULE}. Issue a new one with "wp-frames token issue"`,
      NO_HASH,
    )
  }
  if (typeof sha256 !== 'string')
    return report(`sha256: is ${shownText(sha256)}, not a text`, NO_HASH)
  const hex = sha256.toLowerCase()
  const fault = findHashFault(hex)
  return fault === undefined ? Buffer.from(hex, 'hex') : report(`sha256: ${fault}`, NO_HASH)
}

/** Hashes of other algorithms, by the number of their hexadecimal digits. */
const OTHER_HASHES = new Map([
  [32, 'MD5'],
  [40, 'SHA-1'],
  [56, 'SHA-224'],
  [96, 'SHA-384'],
  [128, 'SHA-512'],
])

function findHashFault(hex: string): string | undefined {
  if (/^op_/.test(hex)) return 'it is a secret; write it in the field token'
  if (/^\$/.test(hex))
    return 'it is a hash with a salt, which cannot be compared; let LEGACY_TOKENS=ask check such tokens'
  if (!/^[0-9a-f]*$/.test(hex))
    return `it has ${hex.length} characters that are not all hexadecimal digits; write the SHA-256 of the secret with 64 hexadecimal digits`
  if (hex.length !== 64) {
    const other = OTHER_HASHES.get(hex.length)
    const cause = other === undefined ? '' : `, as ${other} has`
    return `it has ${hex.length} hexadecimal digits${cause}; a SHA-256 has 64`
  }
  return findHashWeakness(hex)
}

function readLogin(user: unknown, report: ReportFault): string {
  if (typeof user === 'string' && user !== '') return user
  const found = isGiven(user) ? `is ${shownText(user)}` : 'is missing'
  return report(`user: ${found}; write the login of the user that the token acts as`, '')
}

function readLabel(label: unknown, report: ReportFault): string {
  if (!isGiven(label)) return ''
  if (typeof label !== 'string') return report(`label: is ${shownText(label)}, not a text`, '')
  if (/op_[A-Za-z0-9]{64}/.test(label))
    return report('label: contains a secret, and labels are shown in lists; write another text', '')
  const fault = labelFault(label)
  return fault === undefined ? label : report(`label: ${fault}`, '')
}

function readExpiry(expiresAt: unknown, report: ReportFault): string | null {
  if (!isGiven(expiresAt)) return null
  const time = typeof expiresAt === 'string' ? parseTime(expiresAt) : undefined
  if (time !== undefined) return time.slice(0, 'YYYY-MM-DD HH:MM:SS'.length)
  return report(
    `expires_at: is ${shownText(expiresAt)}; write a time such as 2027-01-01T00:00:00Z, or nothing`,
    null,
  )
}

function readScope(scope: unknown, report: ReportFault): TokenLimits['scope'] {
  if (!isGiven(scope)) return 'all'
  const known = TOKEN_SCOPES.find((name) => name === scope)
  return known ?? report(`scope: is ${shownText(scope)}; write ${TOKEN_SCOPES.join(', ')}`, 'read')
}

/** Ids of a JSON list, or of a text with spaces or semicolons, in ascending order. */
function readSites(sites: unknown, report: ReportFault): TokenLimits['sites'] {
  if (!isGiven(sites)) return null
  const ids = typeof sites === 'string' ? sites.split(/[\s;]+/).filter(Boolean) : sites
  const isValid =
    Array.isArray(ids) &&
    ids.length > 0 &&
    ids.length <= MAX_TOKEN_SITES &&
    ids.every((id) => /^[1-9]\d{0,14}$/.test(String(id)))
  if (isValid) return [...new Set(ids.map(Number))].sort((a, b) => a - b)
  return report(
    `sites: is ${shownText(sites)}; write ids of sites, at most ${MAX_TOKEN_SITES}: "2 5" in CSV, [2, 5] in JSON; leave it out for all sites`,
    null,
  )
}
