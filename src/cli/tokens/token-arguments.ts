import { InvalidArgumentError, Option } from 'commander'
import { MAX_TOKEN_SITES, TOKEN_SCOPES } from '../../auth/token-scopes.ts'
import { isLabel, MAX_LABEL_LENGTH } from '../../auth/tokens.ts'

const LIFETIME_UNITS_MS = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
])

/** The option `--expires 90d`; its value is a lifetime in milliseconds. */
export function expiresOption(description: string): Option {
  return new Option('--expires <time>', description).argParser((text): number => {
    const [, count, unit = ''] = /^(\d{1,5})([dh])$/.exec(text) ?? []
    const lifetime = Number(count) * (LIFETIME_UNITS_MS.get(unit) ?? 0)
    if (lifetime > 0) return lifetime
    throw new InvalidArgumentError('Use a number of days or hours, for example 90d or 12h.')
  })
}

/** The time at which a token with this lifetime expires; undefined if it never does. */
export function expiryOf(lifetime: number | undefined, now: Date): Date | undefined {
  return lifetime === undefined ? undefined : new Date(now.getTime() + lifetime)
}

/** Prints a token alone on standard output, so that a script can store it, and on standard error the id by which it is revoked. */
export function printIssued({ id, token }: { readonly id: number; readonly token: string }): void {
  process.stdout.write(`${token}\n`)
  process.stderr.write(`This is token ${id}. To revoke it: wp-frames token revoke ${id}\n`)
}

/** @throws InvalidArgumentError for a label that is too long for the table */
export function parseLabel(text: string): string {
  if (isLabel(text)) return text
  throw new InvalidArgumentError(`A label can have at most ${MAX_LABEL_LENGTH} characters.`)
}

export function scopeOption(): Option {
  return new Option(
    '--scope <scope>',
    'what the token may do at most: read; write frames, or menus; or all that its user may',
  )
    .choices(TOKEN_SCOPES)
    .default('all')
}

/**
 * The blog ids of `--site 2,5`.
 * @throws InvalidArgumentError
 */
export function parseSiteIds(text: string): number[] {
  const ids = text.split(',')
  if (ids.length <= MAX_TOKEN_SITES && ids.every((id) => /^[1-9]\d{0,14}$/.test(id)))
    return [...new Set(ids.map(Number))]
  throw new InvalidArgumentError(
    `Use ids of sites, separated by commas, at most ${MAX_TOKEN_SITES}: 2,5. "wp-frames sites" lists them.`,
  )
}

/** @throws InvalidArgumentError if it is not an id */
export function parseTokenId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError(
    'Use the numeric id of the token; "wp-frames token list" shows it.',
  )
}
