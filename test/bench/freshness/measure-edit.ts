import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { isWorkLeft } from '../setup/pending-work.ts'
import { type CopyWatch, isMet } from './copy-watch.ts'
import type { Edit, EditKind, Statement } from './edits/edit.ts'
import type { MeasuredSite } from './measured-site.ts'

/** How long the first of the expected copies is waited for, in milliseconds. */
export const LIMIT_MS = 20_000

/** Times from the acknowledgement of an edit, in milliseconds; undefined if the limit came first. */
export type EditTime = {
  /** Until the first of the expected copies was as expected. */
  readonly firstMs: number | undefined
  readonly allMs: number | undefined
}

/** What is needed to measure edits. */
export type EditGauge = {
  readonly db: SqlDatabase
  readonly watch: CopyWatch
  /** How long the first of the expected copies is waited for, in milliseconds. */
  readonly limitMs: number
  /** How long all are waited for [as long as the first]. */
  readonly allLimitMs?: number
  /** Maximum pause between two edits that follow one another, in milliseconds: it makes the edits independent of the rounds of a poll. */
  readonly pauseMs: number
  /** From 0 to 1, repeatable. */
  readonly random: () => number
}

/** Receives each measured edit. */
export type OnEdit = (title: string, time: EditTime) => void

/** Commits an edit, and waits until all expected copies are as expected. Its times are undefined if they were so before. */
export async function measureEdit(
  { db, watch, limitMs, allLimitMs = limitMs }: EditGauge,
  { statements, afterwards = [], expected }: Edit,
): Promise<EditTime> {
  if (expected.every(isMet)) {
    await commit(db, statements)
    return { firstMs: undefined, allMs: undefined }
  }
  const isOver = new AbortController()
  setMaxListeners(expected.length, isOver.signal)
  let isFirstThere = false
  const watching = expected.map(async (one) => {
    const at = await watch.until(one, isOver.signal)
    isFirstThere = true
    return at
  })
  const limits: NodeJS.Timeout[] = []
  try {
    await commit(db, statements)
    const acknowledged = performance.now()
    limits.push(setTimeout(() => isFirstThere || isOver.abort(), limitMs))
    limits.push(setTimeout(() => isOver.abort(), allLimitMs))
    await commit(db, afterwards)
    return timesOf(await Promise.all(watching), acknowledged)
  } finally {
    for (const limit of limits) clearTimeout(limit)
    isOver.abort()
  }
}

function timesOf(found: readonly (number | undefined)[], acknowledged: number): EditTime {
  // A feed can be faster than the acknowledgement.
  const times = found.map((at) => at && Math.max(0, at - acknowledged))
  const known = times.filter((ms) => ms !== undefined)
  return {
    firstMs: known.length > 0 ? Math.min(...known) : undefined,
    allMs: known.length === times.length ? Math.max(...known) : undefined,
  }
}

async function commit(db: SqlDatabase, statements: Edit['statements']): Promise<void> {
  if (typeof statements === 'function') return statements()
  for (const [sql, bindings] of statements as readonly Statement[]) await db.sql.raw(sql, bindings)
}

let marks = 0

/** A text that no page shows, also in later runs on the same network. */
export function newMark(): string {
  marks += 1
  return `m${Date.now().toString(36)}x${marks}`
}

/**
 * Measures the edits of a kind one after the other. After an edit that was too late, the others are committed too, so that the site is as before,
 * but they are not measured.
 * @param between runs after each edit
 * @returns whether all edits were in time
 */
export async function measureKind(
  gauge: EditGauge,
  site: MeasuredSite,
  kind: EditKind,
  onEdit: OnEdit,
  between: () => Promise<void> = async () => {},
): Promise<boolean> {
  let isInTime = true
  for (const [at, make] of kind.begin(site).entries()) {
    const edit = await make(newMark())
    if (isInTime) {
      const time = await measureEdit(gauge, edit)
      onEdit(kind.titles[at] ?? '', time)
      isInTime = time.allMs !== undefined
    } else await commit(gauge.db, edit.statements)
    await between()
    await sleep(gauge.random() * gauge.pauseMs)
  }
  return isInTime
}

const SETTLED_LOOKS = 3
const SETTLE_LOOK_MS = 100

/**
 * Waits until the service has no work. An edit that was just committed may be unnoticed.
 * @param blogId only the work of this site [all sites]
 * @throws Error after this time, in milliseconds
 */
export async function untilSettled(
  db: SqlDatabase,
  { blogId, limitMs }: { readonly blogId?: number; readonly limitMs: number },
): Promise<void> {
  const begin = performance.now()
  for (let quiet = 0; quiet < SETTLED_LOOKS; await sleep(SETTLE_LOOK_MS)) {
    const isLeft = await isWorkLeft(db, globalTables('wp_'), blogId)
    quiet = isLeft ? 0 : quiet + 1
    if (performance.now() - begin > limitMs)
      throw new Error(`the service has work after ${Math.round(limitMs / 1000)} s`)
  }
}
