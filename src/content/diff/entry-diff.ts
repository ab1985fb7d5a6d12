import { createTwoFilesPatch } from 'diff'
import type { HistoryKind, StateFields } from '../../record/history/history-row.ts'
import { storedItems } from './compared-items.ts'
import {
  CONTEXT_LINES,
  type DiffLimits,
  LEFT_OUT,
  MAX_EDITS,
  MAX_ITEM_CHANGES,
} from './diff-limits.ts'
import { type ComparedItem, diffMenuItems, formatItemChange, type ItemChange } from './menu-diff.ts'

/** The difference of two states of a thing. */
export type StateDiff = {
  /** A unified diff of markup or of a data set; otherwise one line for each change. Empty if the states are equal. */
  readonly text: string
  /** The changes of the items of a menu. */
  readonly items?: readonly ItemChange[]
  /** Whether something was left out, because it was beyond the limits. */
  readonly isShortened?: true
}

/**
 * Compares two states of a thing; undefined for a state in which it does not exist. Blocks the thread: `StateDiffs` does so on another one if
 * the states are large.
 */
export function diffStates(
  kind: HistoryKind,
  before: StateText | undefined,
  after: StateText | undefined,
  { characters, ms }: DiffLimits,
): StateDiff {
  if (kind === 'menu') return diffMenus(storedMenu(before), storedMenu(after), characters)
  const fields = diffFields(before?.fields, after?.fields)
  if (kind !== 'frame' && kind !== 'dataset') return cutDiff(fields.join('\n'), characters)
  const patch = diffMarkup(before?.content ?? '', after?.content ?? '', ms)
  return cutDiff([...fields, ...(patch === '' ? [] : [patch])].join('\n'), characters)
}

const MORE = '(Further changes are left out.)'

/** A state of a menu: its name and slug, and its items. */
type ComparedMenu = { readonly fields: StateFields; readonly items: readonly ComparedItem[] }

const storedMenu = (state: StateText | undefined): ComparedMenu | undefined =>
  state && { fields: state.fields, items: storedItems(JSON.parse(state.content ?? '[]')) }

/**
 * Compares two states of a menu; undefined for a state in which it does not exist.
 * @param characters length of the texts at most
 */
export function diffMenus(
  before: ComparedMenu | undefined,
  after: ComparedMenu | undefined,
  characters: number,
): StateDiff {
  const fields = diffFields(before?.fields, after?.fields)
  const [old, wanted] = [before?.items ?? [], after?.items ?? []]
  const { changes, isShortened } = diffMenuItems(old, wanted, MAX_ITEM_CHANGES, characters)
  const lines = [...fields, ...changes.map(formatItemChange), ...(isShortened ? [MORE] : [])]
  const text = cutDiff(lines.join('\n'), characters)
  return isShortened ? { ...text, items: changes, isShortened } : { ...text, items: changes }
}

/** Cuts a diff at the end of a line. */
function cutDiff(text: string, characters: number): StateDiff {
  if (text.length <= characters) return { text }
  const end = text.lastIndexOf('\n', characters)
  return { text: `${text.slice(0, Math.max(end, 0))}\n${LEFT_OUT}`, isShortened: true }
}

/** A difference as the API gives it. */
export const presentDiff = ({ text, items, isShortened }: StateDiff) => ({
  diff: text,
  ...(items ? { items } : {}),
  ...(isShortened ? { shortened: isShortened } : {}),
})

/** Fields that change with every write say nothing about it. */
export const IGNORED_FIELDS = new Set([
  'created_at_gmt',
  'updated_at_gmt',
  'updated_by',
  'term_taxonomy_id',
])

function diffFields(before: StateFields | undefined, after: StateFields | undefined): string[] {
  const names = new Set(Object.keys({ ...before, ...after }))
  const lines = [...names].flatMap((name) => {
    const [from, to] = [before?.[name], after?.[name]].map((value) =>
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

function diffMarkup(before: string, after: string, timeout: number): string {
  if (before === after) return ''
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS, timeout }
  const patch = createTwoFilesPatch('before', 'after', before, after, '', '', options)
  const text = patch ?? wholeTexts(before, after)
  return text.replace(/^=+\n/, '')
}

function wholeTexts(before: string, after: string): string {
  const marked = (text: string, mark: string) =>
    text === '' ? [] : text.split('\n').map((line) => `${mark}${line}`)
  return ['--- before', '+++ after', ...marked(before, '-'), ...marked(after, '+')].join('\n')
}

/** A state of a thing, for comparisons: its small fields, and the markup or the items in JSON. */
export type StateText = {
  readonly fields: StateFields
  readonly content?: string | undefined
}
