import { diffArrays } from 'diff'
import { formatItem } from '../menus/item-lines.ts'
import { formatLocation, type PortableMenu } from '../menus/portable-menu.ts'
import { TIMINGS } from '../timings.ts'

/** A line of a menu, with its change. */
type DiffLine = {
  readonly mark: ' ' | '-' | '+'
  /** Indentation level; 0 for the top level. */
  readonly level: number
  readonly text: string
}

type Line = Omit<DiffLine, 'mark'>

/** With more edits, the diff shows the complete old version as removed and the new one as added, which is as readable and much cheaper. */
const MAX_DIFF_EDITS = 2000

/**
 * Compares two versions of a menu line by line: name, slug, locations and items.
 * @returns the changed lines, each with its ancestors
 */
export function diffMenus(
  before: PortableMenu | undefined,
  after: PortableMenu | undefined,
): string {
  const [oldLines, newLines] = [before ? menuLines(before) : [], after ? menuLines(after) : []]
  const changes = diffArrays(oldLines, newLines, {
    comparator: (a, b) => a.level === b.level && a.text === b.text,
    maxEditLength: MAX_DIFF_EDITS,
    timeout: TIMINGS.diff.menuMs,
  }) ?? [
    { value: oldLines, removed: true, added: false },
    { value: newLines, removed: false, added: true },
  ]
  const lines = changes.flatMap(({ value, added, removed }) =>
    value.map((line): DiffLine => ({ ...line, mark: added ? '+' : removed ? '-' : ' ' })),
  )
  const shown = new Set<DiffLine>()
  const ancestors: DiffLine[] = []
  for (const line of lines) {
    ancestors.length = Math.min(ancestors.length, line.level)
    ancestors[line.level] = line
    if (line.mark !== ' ') for (const one of ancestors) shown.add(one)
  }
  return lines
    .filter((line) => shown.has(line))
    .map(({ mark, level, text }) => `${mark} ${'  '.repeat(level)}${text}\n`)
    .join('')
}

/** Items that an export leaves out are lost when the menu is deleted, so they have lines too. */
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
