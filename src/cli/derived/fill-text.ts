import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { readableSlug } from '../../wordpress/formatting/readable-slug.ts'

/** `{frame.slug}`, and `{item.title:plain}` with a form. */
const VALUE = /\{([\w.]+)(?::(\w+))?\}/g
/** `{?cleared}` and `{!cleared}` at the beginning of a sentence. */
const CONDITION = /\{([?!])([\w.]+)\}/g

/**
 * Sentences with the values of an answer. A sentence is left out if one of its values is missing or empty, or if one of its conditions does not hold.
 * @param sentences with the paths of values in braces; lists are joined
 */
export const fillText = (sentences: readonly string[], answer: object): string[] =>
  sentences.flatMap((sentence) => {
    const holds = [...sentence.matchAll(CONDITION)].every(
      ([, sign, path = '']) => Boolean(valueAt(answer, path)) === (sign === '?'),
    )
    const texts = [...sentence.matchAll(VALUE)].map(([, path = '', form]) =>
      textOf(valueAt(answer, path), form),
    )
    if (!holds || texts.includes('')) return []
    return [sentence.replace(CONDITION, '').replace(VALUE, () => texts.shift() ?? '')]
  })

/** Forms of values for people. */
const FORMS: Readonly<Record<string, (value: unknown) => string>> = {
  /** A text that is HTML. */
  plain: (value) => decodeName(textOf(value)),
  /** A slug that is stored percent-encoded. The slugs of most locales are made in the same way; others are shown as they are stored. */
  readable: (value) => readableSlug(textOf(value), ''),
  /** A list. */
  count: (value) => String(Array.isArray(value) ? value.length : 0),
  yes: (value) => (value === true ? 'yes' : ''),
  /** The id of a site; 0 for the network. */
  site: (value) => (value === 0 ? '-' : textOf(value)),
}

/** The value of an answer at a path: `frame.html`. */
export const valueAt = (answer: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
      answer,
    )

/** A value for people. A list of objects, such as locations with languages, has their values. */
export function textOf(value: unknown, form?: string, separator = ', '): string {
  const formed = form === undefined ? undefined : FORMS[form]
  if (formed) return formed(value)
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((part) => textOf(part)).join(separator)
  if (typeof value !== 'object') return String(value)
  return Object.values(value)
    .map((part) => textOf(part))
    .filter((text) => text !== '')
    .join(':')
}
