import type { DifferenceKind } from './difference.ts'

/** A difference that an operator accepts. */
export type AcceptedDifference = {
  /** With `*` for any text: `GET /frames*`. */
  readonly route: string
  /** With `*` for any text: `frames[].*`. */
  readonly field: string
  /** [every kind] */
  readonly kind?: DifferenceKind | undefined
  readonly reason: string
}

/** The first entry that accepts a difference. */
export function findAcceptance<Entry extends AcceptedDifference>(
  entries: readonly Entry[],
  difference: {
    readonly route: string
    readonly field: string
    readonly kind: DifferenceKind
  },
): Entry | undefined {
  return entries.find(
    ({ route, field, kind }) =>
      matches(route, difference.route) &&
      matches(field, difference.field) &&
      (kind === undefined || kind === difference.kind),
  )
}

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`).test(text)
}
