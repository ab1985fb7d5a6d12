import { setTimeout as sleep } from 'node:timers/promises'
import type { EditGroup } from './edit-times.ts'
import type { EditKind } from './edits/edit.ts'
import { type EditGauge, measureKind, type OnEdit } from './measure-edit.ts'
import type { MeasuredSite } from './measured-site.ts'

/** Kinds of edits of single pages, each with how often it is measured. */
export type Schedule = readonly {
  readonly kind: EditKind
  readonly group: EditGroup
  readonly times: number
}[]

/** Edits that are too late in all: then the rest is left out. */
const MAX_LATE = 5

/**
 * Measures edits in random order, which begin at a fixed rate, however long the copies take: as an editorial team works, and so that the edits
 * fall into all phases of a poll.
 * @param perSecond edits that begin each second
 */
export async function runSchedule(
  gauge: EditGauge,
  site: MeasuredSite,
  { schedule, perSecond }: { readonly schedule: Schedule; readonly perSecond: number },
  onEdit: (group: EditGroup) => OnEdit,
): Promise<void> {
  const kinds = schedule.flatMap((one) => Array.from({ length: one.times }, () => one))
  shuffle(kinds, gauge.random)
  const begin = performance.now()
  let late = 0
  const measure = async ({ kind, group }: Schedule[number]): Promise<void> => {
    if (!(await measureKind(gauge, site, kind, onEdit(group)))) late += 1
  }
  const measuring: Promise<void>[] = []
  for (const [at, kind] of kinds.entries()) {
    await sleep(Math.max(0, begin + (at * 1000) / perSecond - performance.now()))
    if (late >= MAX_LATE) break
    measuring.push(measure(kind))
  }
  await Promise.all(measuring)
}

/** Fisher and Yates. */
function shuffle<T>(items: T[], random: () => number): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [items[last], items[other]]
    if (a === undefined || b === undefined) continue
    items[last] = b
    items[other] = a
  }
}
