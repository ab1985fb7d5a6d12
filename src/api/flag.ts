import { z } from 'zod'
import { rawField } from './unchecked.ts'

const BOOLEAN_SPELLINGS = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
  ['', false],
])

/** A boolean in any of the spellings that WordPress's REST API takes (rest_sanitize_boolean, rest-api.php). */
export function flag(standard: boolean, description: string) {
  return rawField({ type: 'boolean', default: standard, description }).transform(
    (value, context) => {
      const word = typeof value === 'string' ? value.toLowerCase() : value
      const known = word === undefined || word === null ? standard : BOOLEAN_SPELLINGS.get(word)
      if (known !== undefined) return known
      context.addIssue({ code: 'custom', message: 'must be true or false' })
      return z.NEVER
    },
  )
}
