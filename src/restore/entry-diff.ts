import { createTwoFilesPatch } from 'diff'
import type { HistoryKind } from '../history/history-row.ts'
import type { MenuItemContent } from '../menus/menu-history.ts'
import { diffMenuItems, formatItemChange, type ItemChange } from './menu-diff.ts'
import type { StateText } from './restored-thing.ts'

/** The difference of two states of a thing. */
export type StateDiff = {
  /** A unified diff of markup or of a data set; otherwise one line for each change. Empty if the states are equal. */
  readonly text: string
  /** The changes of the items of a menu. */
  readonly items?: readonly ItemChange[]
}

/** Lines of markup that may differ before the diff shows the whole old text and the whole new one. */
const MAX_EDITS = 2000
const CONTEXT_LINES = 3

/** Compares two states of a thing; undefined for a state in which it does not exist. */
export function diffStates(
  kind: HistoryKind,
  before: StateText | undefined,
  after: StateText | undefined,
): StateDiff {
  const fields = diffFields(before, after)
  if (kind === 'frame' || kind === 'dataset') {
    const patch = diffMarkup(before?.content ?? '', after?.content ?? '')
    return { text: [...fields, ...(patch === '' ? [] : [patch])].join('\n') }
  }
  if (kind !== 'menu') return { text: fields.join('\n') }
  const items = diffMenuItems(itemsIn(before), itemsIn(after))
  return { text: [...fields, ...items.map(formatItemChange)].join('\n'), items }
}

const itemsIn = (state: StateText | undefined): MenuItemContent[] =>
  state?.content === undefined ? [] : JSON.parse(state.content)

/** Fields that change with every write say nothing about it. */
export const IGNORED_FIELDS = new Set([
  'created_at_gmt',
  'updated_at_gmt',
  'updated_by',
  'term_taxonomy_id',
])

function diffFields(before: StateText | undefined, after: StateText | undefined): string[] {
  const names = new Set(Object.keys({ ...before?.fields, ...after?.fields }))
  const lines = [...names].flatMap((name) => {
    const [from, to] = [before?.fields[name], after?.fields[name]].map((value) =>
      value === undefined ? undefined : JSON.stringify(value),
    )
    if (from === to || IGNORED_FIELDS.has(name)) return []
    return [
      ...(from === undefined ? [] : [`- ${name}: ${from}`]),
      ...(to === undefined ? [] : [`+ ${name}: ${to}`]),
    ]
  })
  return lines
}

function diffMarkup(before: string, after: string): string {
  if (before === after) return ''
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS }
  const patch = createTwoFilesPatch('before', 'after', before, after, '', '', options)
  const text = patch ?? wholeTexts(before, after)
  return text.replace(/^=+\n/, '')
}

function wholeTexts(before: string, after: string): string {
  const marked = (text: string, mark: string) =>
    text === '' ? [] : text.split('\n').map((line) => `${mark}${line}`)
  return ['--- before', '+++ after', ...marked(before, '-'), ...marked(after, '+')].join('\n')
}
