import { diffArrays } from 'diff'
import type { PortableMenu } from '../../menus/portable-menu.ts'
import { formatItem, formatLocation } from './menu-lines.ts'

/** What became of a line of a menu. */
export type DiffLine = {
  readonly mark: ' ' | '-' | '+'
  /** How far in it stands; 0 at the top. */
  readonly level: number
  readonly text: string
}

export type MenuDiff = {
  /** All lines of both, as they follow each other. */
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
}

type Line = Omit<DiffLine, 'mark'>

/** Beyond as many differences, one tree is shown as taken away and the other as put in its place: no eye would follow more. */
const MAX_DIFF_EDITS = 2000

/** What is different between two states of a menu, line by line: its names, its places, its items. */
export function diffMenus(before: PortableMenu | undefined, after: PortableMenu): MenuDiff {
  const [old, now] = [before ? menuLines(before) : [], menuLines(after)]
  const changes = diffArrays(old, now, {
    comparator: (a, b) => a.level === b.level && a.text === b.text,
    maxEditLength: MAX_DIFF_EDITS,
  }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ]
  const lines = changes.flatMap(({ value, added, removed }) =>
    value.map((line): DiffLine => ({ ...line, mark: added ? '+' : removed ? '-' : ' ' })),
  )
  const count = (mark: DiffLine['mark']) => lines.filter((line) => line.mark === mark).length
  return { lines, added: count('+'), removed: count('-') }
}

/** Whether anything is different. */
export function isDifferent({ added, removed }: MenuDiff): boolean {
  return added + removed > 0
}

/** The changed lines, each under those that it stands under. */
export function presentDiff({ lines }: MenuDiff): string {
  const shown = new Set<DiffLine>()
  const above: DiffLine[] = []
  for (const line of lines) {
    above.length = Math.min(above.length, line.level)
    above[line.level] = line
    if (line.mark !== ' ') for (const one of above) shown.add(one)
  }
  return lines
    .filter((line) => shown.has(line))
    .map(({ mark, level, text }) => `${mark} ${'  '.repeat(level)}${text}\n`)
    .join('')
}

/** What is left out of files is lost where a menu is replaced, so it has lines too. */
function menuLines({ name, slug, assignments, items, leftOut }: PortableMenu): Line[] {
  return [
    { level: 0, text: `name ${name}` },
    { level: 0, text: `slug ${slug}` },
    ...assignments.map((assignment) => ({
      level: 0,
      text: `location ${formatLocation(assignment)}`,
    })),
    ...items.map((item) => ({ level: item.at.split('.').length - 1, text: formatItem(item) })),
    ...leftOut.map(({ id, title, reason }) => ({
      level: 0,
      text: `item ${id} ${JSON.stringify(title)} (${reason})`,
    })),
  ]
}
