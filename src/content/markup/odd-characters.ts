import type { MarkupProblem } from './nodes.ts'

type OddCharacter = Pick<MarkupProblem, 'code'> & {
  readonly character: string
  readonly describe: (count: number) => string
}

/** Characters that nobody sees in an editor, and that change what is stored or shown. */
const ODD_CHARACTERS: readonly OddCharacter[] = [
  {
    character: '\0',
    code: 'nul_character',
    describe: (count) =>
      `The markup contains ${times(count, 'NUL')}, which browsers drop or replace. The file was probably written as UTF-16: save it as UTF-8.`,
  },
  {
    character: '\ufeff',
    code: 'byte_order_mark',
    describe: (count) =>
      `The markup contains ${times(count, 'byte order mark')} (U+FEFF), an invisible character that becomes text of the page. Save the file as UTF-8 without it.`,
  },
  {
    character: '\r',
    code: 'line_ends',
    describe: (count) =>
      `The markup has the line ends of Windows (CR LF) on ${count === 1 ? '1 line' : `${count} lines`}. Browsers treat them as others, but each line differs from one without. If Git changes them, add "*.html -text" to .gitattributes.`,
  },
]

const times = (count: number, what: string): string =>
  count === 1 ? `a ${what}` : `${what} ${count} times`

/** A problem for each kind of odd characters, at the first one. */
export function findOddCharacters(source: string): MarkupProblem[] {
  return ODD_CHARACTERS.flatMap(({ character, code, describe }) => {
    const start = source.indexOf(character)
    if (start < 0) return []
    return [{ start, end: start + 1, code, message: describe(source.split(character).length - 1) }]
  })
}
