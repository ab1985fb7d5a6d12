import type { FileProblem } from '../../content/menus/menu-file.ts'
import { pluralize } from '../terminal.ts'

/** How many problems are printed; the others are counted. */
export const MAX_PROBLEM_LINES = 100

/** Maximum length of a printed message in characters: a message may quote a key of any length from the file. */
const MAX_MESSAGE_LENGTH = 500

/** The problems of a file in one line each, in the order of the file. */
export function formatProblems(file: string, problems: readonly FileProblem[]): string {
  const more = problems.length - MAX_PROBLEM_LINES
  const rest = more > 0 ? `and ${pluralize(more, 'more problem')}\n` : ''
  const lines = firstProblems(problems).map(({ line, at, message }) => {
    const position = [file, `line ${line}`, ...(at === null ? [] : [`item ${at}`])]
    return `${position.join(', ')}: ${message.slice(0, MAX_MESSAGE_LENGTH)}\n`
  })
  return lines.join('') + rest
}

/** The problems that are printed: the first ones in the order of the file. */
function firstProblems(problems: readonly FileProblem[]): FileProblem[] {
  return [...problems].sort((a, b) => a.line - b.line).slice(0, MAX_PROBLEM_LINES)
}
