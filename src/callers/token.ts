import { createHash, randomInt } from 'node:crypto'

const TOKEN_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const TOKEN_RANDOM_LENGTH = 64
const TOKEN_FORMAT = /^op_[A-Za-z0-9]{64}$/

/** A new token: `op_` and 64 letters and digits from the system's random source (contract, section 5). */
export function generateToken(): string {
  return `op_${Array.from({ length: TOKEN_RANDOM_LENGTH }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join('')}`
}

/** Has this text exactly the form of a token? A copy that was cut short has not. */
export function isTokenFormat(text: string): boolean {
  return TOKEN_FORMAT.test(text)
}

/** What is stored of a token: its SHA-256. 64 random characters need no salt and no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
