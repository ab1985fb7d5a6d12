import type { z } from 'zod'
import { AppError } from '../errors.ts'

/** A problem of a description, and the field that has it: `bundles.shared.frames.0.slug`. */
export type Problem = { readonly at: string; readonly message: string }

/** How many problems are reported; the others are counted. */
export const MAX_PROBLEMS = 100

/** The problems of a description. */
export class Problems {
  readonly #first: Problem[] = []
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

/** The problems that a schema found. */
export function schemaProblems(issues: readonly Issue[]): Problem[] {
  return issues.flatMap(deepestIssues).map(({ path, message }) => ({
    at: path.join('.') || 'description',
    message,
  }))
}

/** Of a union, the issues of the alternative whose form comes closest: its issues are the deepest. */
function deepestIssues(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const alternatives = issue.errors.map((issues) => issues.flatMap(deepestIssues))
  const depthOf = (issues: readonly Issue[]): number =>
    Math.max(0, ...issues.map(({ path }) => path.length))
  const [closest = []] = [...alternatives].sort((a, b) => depthOf(b) - depthOf(a))
  return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}
