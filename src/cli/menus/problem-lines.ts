import { pluralize } from '../terminal.ts'
import type { FileProblem } from './read-menu-file.ts'

/** Problems of a file that are printed; the others are counted. */
export const MAX_PROBLEM_LINES = 100

/** Characters of a message: it may quote a key of the file, however long that is. */
const MAX_MESSAGE_LENGTH = 500

/** What is wrong with a file, a line each, in the order of the file. */
export function formatProblems(problems: readonly FileProblem[]): string {
  const more = problems.length - MAX_PROBLEM_LINES
  const rest = more > 0 ? `and ${pluralize(more, 'more problem')}\n` : ''
  const lines = firstProblems(problems).map(({ line, at, message }) => {
    const place = [line === null ? [] : `line ${line}`, at === null ? [] : `item ${at}`].flat()
    return `${place.length > 0 ? `${place.join(', ')}: ` : ''}${message.slice(0, MAX_MESSAGE_LENGTH)}\n`
  })
  return lines.join('') + rest
}

/** Those that come first in the file, as many as are shown. */
export function firstProblems(problems: readonly FileProblem[]): FileProblem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, MAX_PROBLEM_LINES)
}
