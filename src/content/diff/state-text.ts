import type { StateFields } from '../../record/history/history-row.ts'

/** A state of a thing, for comparisons: its small fields, and the markup or the items in JSON. */
export type StateText = {
  readonly fields: StateFields
  readonly content?: string | undefined
}
