/** An answer to a request, as the client receives it. */
export type ComparedAnswer = {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Kinds that break clients. */
export const DIFFERENCE_KINDS = [
  'status',
  'header',
  'not_json',
  'text_around_json',
  'type',
  'missing',
  'additional',
  'value',
  'order',
  'markup',
  'unstable',
] as const

/** Kinds that no client depends on. They are listed apart. */
export const APART_KINDS = [
  'additional_field',
  'other_header',
  'text',
  'old_unstable',
  'effect',
  'own_row',
] as const

export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number] | (typeof APART_KINDS)[number]

/**
 * A difference of two answers. Only `values` contains data of the site, so that the rest may be logged.
 * - `status`, `header`, `not_json`: another status, another header of the contract, a body that is not JSON on one side
 * - `text_around_json`: text before or after the JSON, such as a notice of PHP, or a byte order mark
 * - `type`: another JSON type, such as `[]` for `{}` or an id as a text
 * - `missing`: only the old answer has the field or the element; `additional`: only ours has the element
 * - `value`, `order`, `markup`: another value, another order of elements, other bytes of markup
 * - `unstable`, `old_unstable`: our answer, or the old one, was an error of the server at first
 * - `additional_field`, `other_header`: only ours has the field; only one of both has the header, which the contract does not name
 * - `effect`, `own_row`: of a write: another report of builds and caches; a row that one of both programs keeps for itself
 * - `text`: another sentence for people, in `message`, `hint` and `warnings`
 */
export type Difference = {
  readonly kind: DifferenceKind
  /** Path of the field with `[]` for the elements of a list: `frames[].id`. `status`, `body`, or `header content-type`. */
  readonly field: string
  readonly values: {
    /** Path with the key of each element: `frames[header].id`. */
    readonly at: string
    /** Excerpts; undefined where the side has none. */
    readonly old?: string
    readonly ours?: string
  }
}

/** Whether a client may depend on what differs. */
export const breaksClients = ({ kind }: Pick<Difference, 'kind'>): boolean =>
  (DIFFERENCE_KINDS as readonly string[]).includes(kind)

/** In characters. */
const EXCERPT_LENGTH = 160

/** A value for people, cut to one line. */
export function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? '')
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text
}
