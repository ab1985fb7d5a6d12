import type { z } from 'zod'
import { didYouMean } from './similar.ts'

/** Names of kinds of values in JSON. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** The beginning of the message about a value that is not there. */
export const MISSING = 'is missing; '

/**
 * What a value must be that a schema does not take; undefined where the schema has a message of its own.
 * @param names other names of kinds [those of JSON]
 */
export function describeIssue(
  issue: z.core.$ZodRawIssue,
  names: Readonly<Record<string, string>> = {},
): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const { shape = {} } = (issue.inst?._zod.def ?? {}) as { shape?: object }
    const known = Object.keys(shape)
    return issue.keys
      .map((key) => didYouMean(key, known) || ` Allowed: ${known.join(', ')}.`)
      .map((hint) => `Unknown field.${hint}`)
      .join('\n')
  }
  if (issue.code === 'invalid_type') {
    const kind = names[issue.expected] ?? KINDS[issue.expected] ?? issue.expected
    return issue.input === undefined ? `${MISSING}it must be ${kind}` : `must be ${kind}`
  }
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`
  if (issue.code === 'too_small' || issue.code === 'too_big') return describeLimit(issue)
  return undefined
}

function describeLimit(
  issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>,
): string {
  const isLeast = issue.code === 'too_small'
  const limit = isLeast ? issue.minimum : issue.maximum
  const unit = UNITS[issue.origin] ?? ''
  const verb = unit === '' ? 'be' : 'have'
  if (issue.inclusive === false)
    return `must ${verb} ${isLeast ? 'more' : 'less'} than ${limit}${unit}`
  const one = limit === 1 ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit
  return `must ${verb} at ${isLeast ? 'least' : 'most'} ${limit}${one}`
}
