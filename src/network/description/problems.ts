import type { z } from 'zod'
import { AppError } from '../../host/errors.ts'
import { describeIssue, MISSING } from '../../host/schema-messages.ts'
import { findSimilar } from '../../host/similar.ts'

/** A problem of a description, and the field that has it: `bundles.shared.frames.0.slug`. */
export type DescriptionProblem = { readonly at: string; readonly message: string }

/** How many problems are reported; the others are counted. */
export const MAX_PROBLEMS = 100

/** The problems of a description. */
export class Problems {
  readonly #first: DescriptionProblem[] = []
  #count = 0

  report(at: string, message: string): void {
    this.#count += 1
    if (this.#first.length < MAX_PROBLEMS) this.#first.push({ at, message })
  }

  /** @throws AppError `bad_description` if there is a problem */
  assertNone(): void {
    if (this.#count === 0) return
    const lines = this.#first.map(({ at, message }) => `${at}: ${message}`)
    const more = this.#count - lines.length
    const message = [
      `The description has ${this.#count === 1 ? 'a problem' : `${this.#count} problems`}.`,
      ...lines,
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('\n')
    throw new AppError('bad_description', message, { problems: this.#first })
  }
}

type Issue = z.core.$ZodIssue

/** A problem that a schema found, and the path of the field that has it. */
type SchemaProblem = { readonly path: readonly PropertyKey[]; readonly message: string }

/** Validates the form of a value. The problems are in the terms of a description, with one for each unknown field. */
export function parseForm<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data?: z.output<Schema>; readonly problems: readonly SchemaProblem[] } {
  const { data, error } = schema.safeParse(value, { error: (issue) => describeIssue(issue, KINDS) })
  if (!error) return { data, problems: [] }
  const issues = error.issues.flatMap(innerIssues)
  return { problems: issues.filter((issue) => !isMisspelt(issue, issues)).flatMap(problemsOf) }
}

/** Whether a field is missing because its name is misspelt, which is reported as an unknown field. */
function isMisspelt({ code, path, message }: Issue, issues: readonly Issue[]): boolean {
  if (code !== 'invalid_type' || !message.startsWith(MISSING)) return false
  const parent = positionOf(path.slice(0, -1))
  return issues.some(
    (one) =>
      one.code === 'unrecognized_keys' &&
      positionOf(one.path) === parent &&
      one.keys.some((key) => findSimilar(key, [String(path.at(-1))]) !== undefined),
  )
}

function problemsOf(issue: Issue): SchemaProblem[] {
  const { path, message } = issue
  if (issue.code !== 'unrecognized_keys') return [{ path, message }]
  // `describeIssue` has a line for each.
  const lines = message.split('\n')
  return issue.keys.map((key, index) => ({ path: [...path, key], message: lines[index] ?? '' }))
}

/** Descriptions are written in YAML. */
const KINDS = { object: 'a mapping', record: 'a mapping' }

/** The position of a field for messages. */
export function positionOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'description'
}

/**
 * The issues inside the issues of keys and unions. Of a union, those of the alternative whose form comes closest: its issues are the deepest.
 */
function innerIssues(issue: Issue): Issue[] {
  if (issue.code === 'invalid_key')
    return issue.issues.map((inner) => ({ ...inner, path: issue.path }) as Issue)
  if (issue.code !== 'invalid_union') return [issue]
  const alternatives = issue.errors.map((issues) => issues.flatMap(innerIssues))
  const depthOf = (issues: readonly Issue[]): number =>
    Math.max(0, ...issues.map(({ path }) => path.length))
  const [closest = []] = alternatives.sort((a, b) => depthOf(b) - depthOf(a))
  return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}
