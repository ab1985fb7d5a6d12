import { setTimeout as sleep } from 'node:timers/promises'
import type { EditKind } from './edits/edit.ts'
import { type EditGauge, measureKind, type OnEdit } from './measure-edit.ts'
import type { MeasuredSite } from './measured-site.ts'

export type Schedule = {
  readonly kind: EditKind
  /** How many edits. */
  readonly times: number
  readonly perSecond: number
}

/** Edits that are too late in all: then the rest is left out. */
const MAX_LATE = 5

/**
 * Measures edits that begin at a fixed rate, however long the copies take: as an editorial team works, and so that the edits fall into all
 * phases of a poll.
 */
export async function runSchedule(
  gauge: EditGauge,
  site: MeasuredSite,
  { kind, times, perSecond }: Schedule,
  onEdit: OnEdit,
): Promise<void> {
  const begin = performance.now()
  let late = 0
  const measure = async (): Promise<void> => {
    if (!(await measureKind(gauge, site, kind, onEdit))) late += 1
  }
  const measuring: Promise<void>[] = []
  for (let index = 0; index < times && late < MAX_LATE; index += 1) {
    await sleep(Math.max(0, begin + (index * 1000) / perSecond - performance.now()))
    const edit = measure()
    // An error is thrown when all have ended.
    edit.catch(() => {})
    measuring.push(edit)
  }
  await Promise.all(measuring)
}
