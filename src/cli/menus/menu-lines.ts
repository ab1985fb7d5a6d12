import type { ItemInput } from '../../menus/item-tree.ts'
import type { ObjectRef } from '../../menus/object-refs.ts'
import type { FileProblem } from '../../menus/read-menu-file.ts'
import { pluralize } from '../terminal.ts'

/** An item in one line without its position: its target, then its other fields. Different items have different lines. */
export function formatItem({ url, object, title, ...texts }: ItemInput): string {
  const { target, classes, xfn, attrTitle, description } = texts
  const link = object ? formatTarget(object) : `url ${url}`
  const more = Object.entries({ target, classes, xfn, attr_title: attrTitle, description })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}=${JSON.stringify(value)}`)
  return `${link}${title === undefined ? '' : `  ${JSON.stringify(title)}`}${more.join('')}`
}

function formatTarget(ref: ObjectRef): string {
  switch (ref.kind) {
    case 'post':
      return `${ref.type} ${ref.path}${formatLanguage(ref.lang)}`
    case 'term':
      return `${ref.taxonomy} ${ref.path}${formatLanguage(ref.lang)}`
    case 'archive':
      return `archive ${ref.type}`
    case 'address':
      return `url ${ref.url} as it is`
    case 'switcher':
      return `switcher ${ref.flags.join(' ')}`
  }
}

function formatLanguage(lang: string | undefined): string {
  return lang === undefined ? '' : ` (${lang})`
}

/** How many problems are printed; the others are counted. */
export const MAX_PROBLEM_LINES = 100

/** Maximum length of a printed message in characters: a message may quote a key of any length from the file. */
const MAX_MESSAGE_LENGTH = 500

/** The problems of a file in one line each, in the order of the file. */
export function formatProblems(problems: readonly FileProblem[]): string {
  const more = problems.length - MAX_PROBLEM_LINES
  const rest = more > 0 ? `and ${pluralize(more, 'more problem')}\n` : ''
  const lines = firstProblems(problems).map(({ line, at, message }) => {
    const position = [line === null ? [] : `line ${line}`, at === null ? [] : `item ${at}`].flat()
    return `${position.length > 0 ? `${position.join(', ')}: ` : ''}${message.slice(0, MAX_MESSAGE_LENGTH)}\n`
  })
  return lines.join('') + rest
}

/** The problems that are printed: the first ones in the order of the file. */
export function firstProblems(problems: readonly FileProblem[]): FileProblem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, MAX_PROBLEM_LINES)
}
