import type { ItemInput } from '../../menus/item-tree.ts'
import type { ObjectRef } from '../../menus/object-refs.ts'
import { pluralize } from '../terminal.ts'
import type { FileProblem } from './read-menu-file.ts'

/** A place as people read it and `--location` takes it: `header`, `header:fr`; with its theme where that is not the site's own. */
export function formatLocation({
  location,
  lang,
  theme,
}: {
  readonly location: string
  readonly lang?: string | undefined
  readonly theme?: string | undefined
}): string {
  const at = lang === undefined ? location : `${location}:${lang}`
  return theme === undefined ? at : `${at} of the theme ${theme}`
}

/** An item in one line, without its place: what it links, then all that is said of it. Two that differ have different lines. */
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
