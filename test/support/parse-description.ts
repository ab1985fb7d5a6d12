import { type Description, DescriptionSchema } from '../../src/network/description/description.ts'
import { Problems, parseForm, positionOf } from '../../src/network/description/problems.ts'

/**
 * Validates the form of a description. What depends on several of its parts, or on the sites, is checked by `resolveDescription`.
 * @throws AppError `bad_description` with all problems
 */
export function parseDescription(value: unknown): Description {
  const { data, problems: found } = parseForm(DescriptionSchema, value)
  if (data) return data
  const problems = new Problems()
  for (const { path, message } of found) problems.report(positionOf(path), message)
  problems.assertNone()
  throw new Error('A description without a problem is invalid.')
}
