/** What the differences in one answer may take together. */
export type DiffLimits = {
  /** Length of the texts. */
  readonly characters: number
  /** Time to compare texts, in milliseconds. */
  readonly ms: number
}

/** Things in one answer whose difference is given; further ones are only named. */
export const MAX_DIFFS = 200
/** Length of all differences in one answer, in characters. */
export const MAX_DIFF_CHARACTERS = 1_000_000
/** Changes of menu items in one difference. */
export const MAX_ITEM_CHANGES = 2000
/** Titles of what the differences in one answer name by an id. */
export const MAX_TITLES = 5000
/** Length of a label in the path of a menu item, in characters. */
export const MAX_LABEL = 80
/** Length of the value of a changed field, in characters. */
export const MAX_VALUE = 400
/** Labels in the path of a menu item: its own, and those of the items right above it. */
export const MAX_PATH = 8

/** Instead of a difference that is beyond the limits. */
export const LEFT_OUT = '(The difference is left out, because this answer has too much of it.)'

/** Lines of markup that may differ before the difference has the whole old text and the whole new one. */
export const MAX_EDITS = 2000
/** Lines around a change of markup that did not change. */
export const CONTEXT_LINES = 3
/** Length of the difference of a step that the API shows, in characters. */
export const MAX_SHOWN_DIFF_LENGTH = 10_000
/** Length of the difference of a step that is kept, in characters. */
export const MAX_KEPT_DIFF_LENGTH = 64 * 1024

/** The begin of a text, with a mark if it is longer. */
export const cutText = (text: string, length: number, mark = '…'): string =>
  text.length > length ? text.slice(0, length) + mark : text
