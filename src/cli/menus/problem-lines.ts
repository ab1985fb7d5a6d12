import type { FileProblem } from './read-menu-file.ts'

/** All that is wrong with a file, a line each, in the order of the file. */
export function problemLines(problems: readonly FileProblem[]): string {
  return [...problems]
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
    .map(({ line, at, message }) => {
      const place = [line === null ? [] : `line ${line}`, at === null ? [] : `item ${at}`].flat()
      return `${place.length > 0 ? `${place.join(', ')}: ` : ''}${message}\n`
    })
    .join('')
}
