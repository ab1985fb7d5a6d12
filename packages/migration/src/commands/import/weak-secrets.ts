import { sha256Hex } from '#wp-frames/host/hash'
import { isTokenFormat } from '#wp-frames/record/auth/tokens'

/** The rule of `findWeakness`, for help texts and messages. */
export const SECRET_RULE =
  'op_ and 64 letters and digits, at least 8 different ones, not one block repeated, and not mostly in the order of the alphabet'

const MIN_DIFFERENT = 8

/**
 * Why a secret could be guessed; undefined if there is no sign of it. A random secret of 64 decimal digits passes with a probability of more
 * than 0.999999999, and those of more different characters rather.
 */
export function findWeakness(secret: string): string | undefined {
  if (!isTokenFormat(secret)) return describeFormat(secret)
  const text = secret.slice('op_'.length)
  const different = new Set(text).size
  if (different < MIN_DIFFERENT)
    return `it has only ${different} different characters after op_, and needs ${MIN_DIFFERENT}`
  if (isRepetition(text)) return 'it repeats one block of characters'
  if (isSequence(text)) return 'its characters mostly follow the order of the alphabet'
  return undefined
}

function describeFormat(secret: string): string {
  if (!secret.startsWith('op_')) return 'it does not begin with op_'
  const length = secret.length - 'op_'.length
  return length === 64
    ? 'it has other characters than letters and digits after op_'
    : `it has ${length} characters after op_, and needs 64`
}

/** Whether the text is a block, repeated at least once, of which the last repetition may be cut. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length += 1)
    if (text.slice(length) === text.slice(0, -length)) return true
  return false
}

/**
 * Whether more than three quarters of the characters are equal to the one before, or its neighbours in the alphabet. Of random decimal digits 28 % are:
 * more than half of 64 are in one of 20,000 secrets, three quarters never.
 */
function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.charCodeAt(0))
  const following = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? 0)) <= 1)
  return following.length > codes.length * 0.75
}

/** Texts that programs hash when a secret is missing, or that are secrets of examples. */
const OBVIOUS = [
  '',
  ' ',
  '\n',
  '0',
  '1',
  'null',
  'undefined',
  'none',
  'false',
  'true',
  'op_',
  'token',
  'secret',
  'test',
  'admin',
  'password',
  'changeme',
  'change-me',
  'example',
  'xxx',
  'api_token',
  'API_TOKEN',
]

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const OBVIOUS_HASHES: ReadonlySet<string> = new Set(
  [...OBVIOUS, ...[...ALPHABET].map((one) => `op_${one.repeat(64)}`)].map(sha256Hex),
)

/** Why a hash is not that of a good secret; undefined if there is no sign of it. @param hex 64 hexadecimal digits in lower case */
export function findHashWeakness(hex: string): string | undefined {
  if (new Set(hex).size < MIN_DIFFERENT)
    return `it has only ${new Set(hex).size} different digits, so it is not a SHA-256`
  return OBVIOUS_HASHES.has(hex)
    ? 'it is the SHA-256 of an empty or obvious text, and not of a token'
    : undefined
}
