import { AppError } from '../../host/errors.ts'
import { normalizeSlug } from '../markup/insert-references.ts'

/** Pattern of a frame's slug, `block__element--modifier`. */
export const SLUG_PATTERN =
  '^[a-z0-9]+(?:-[a-z0-9]+)*(?:__[a-z0-9]+(?:-[a-z0-9]+)*)?(?:--[a-z0-9]+(?:-[a-z0-9]+)*)?$'

const SLUG = new RegExp(SLUG_PATTERN)
export const MAX_SLUG_LENGTH = 200
const HINT =
  'Use lower-case letters, digits and single hyphens: block, block__element, block--modifier or block__element--modifier, ' +
  `at most ${MAX_SLUG_LENGTH} characters.`

export type SlugParts = {
  readonly block: string
  readonly element: string | null
  readonly modifier: string | null
}

/** The error `invalid_slug`. */
export const invalidSlug = (): AppError =>
  new AppError('invalid_slug', `Invalid slug. ${HINT}`, { pattern: SLUG_PATTERN, hint: HINT })

/**
 * Validates a slug and returns it in the stored form.
 * @throws AppError `invalid_slug` with `pattern` and `hint`
 */
export function parseSlug(input: unknown): string {
  const slug = findSlug(input)
  if (slug === undefined) throw invalidSlug()
  return slug
}

/** The slug in the stored form; undefined if it is invalid. */
export function findSlug(input: unknown): string | undefined {
  const slug = typeof input === 'string' ? normalizeSlug(input) : ''
  return slug.length <= MAX_SLUG_LENGTH && SLUG.test(slug) ? slug : undefined
}

/** The parts of a valid slug. */
export function slugParts(slug: string): SlugParts {
  const [name, modifier] = splitAt(slug, '--')
  const [block, element] = splitAt(name, '__')
  return { block, element, modifier }
}

/** The text before and after the first separator; null if there is no separator. */
function splitAt(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator, 1)
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + separator.length)]
}
