import type { EditTime, OnEdit } from './measure-edit.ts'

/** The site that was edited. `network`: sites that were added and removed. */
export type EditedSite = 'small' | 'large' | 'network'

/**
 * The groups of edits, in the order of the table: of single pages, of pages that others show, of what one page shows, of what all pages show, and
 * of the network.
 */
export const EDIT_GROUPS = ['text', 'tree', 'setting', 'site', 'network'] as const

export type EditGroup = (typeof EDIT_GROUPS)[number]

/** All times of one kind of edits on one site, in milliseconds and in the order of the edits; null if the limit came first. */
export type EditTimes = {
  readonly group: EditGroup
  readonly title: string
  readonly site: EditedSite
  /** How long copies were waited for. */
  readonly limitMs: number
  /** Until the first of the expected copies, and until all. */
  readonly firstMs: (number | null)[]
  readonly allMs: (number | null)[]
}

/** Collects the times of a pass. */
export class EditTimesLog {
  readonly #times = new Map<string, EditTimes>()

  /** Returns a function that adds the times of edits of a group on a site. */
  collect(group: EditGroup, site: EditedSite, limitMs: number): OnEdit {
    return (title, { firstMs, allMs }: EditTime) => {
      const key = `${group} ${site} ${title}`
      const times = this.#times.get(key) ?? { group, title, site, limitMs, firstMs: [], allMs: [] }
      this.#times.set(key, times)
      times.firstMs.push(firstMs === undefined ? null : Math.round(firstMs))
      times.allMs.push(allMs === undefined ? null : Math.round(allMs))
    }
  }

  all(): EditTimes[] {
    return [...this.#times.values()]
  }
}
