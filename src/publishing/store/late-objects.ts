import { forEachBounded } from '../../concurrency/for-each.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { recordChange } from '../../work/record-work.ts'
import { workOn } from '../../work/work.ts'
import { readCopyRecords } from '../copies-table.ts'
import type { CopyTarget } from '../copy-target.ts'
import { type CopyFacts, objectOf } from './copy-object.ts'
import type { DueObjects } from './store-claims-table.ts'
import type { StoreObjects } from './store-objects.ts'

export type LateObjectsOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly objects: StoreObjects
  readonly target: Pick<CopyTarget, 'locate'>
}

/** Requests at once. */
const OBJECTS_AT_ONCE = 16

/**
 * Removes the objects that a fenced claim has written and that no record describes: a request that a suspended machine had signed can arrive
 * after the page was published again or removed. The page is published again if it has a record.
 * Placeholders are removed at the last look.
 */
export async function removeLateObjects(
  { db, globals, log, objects, target }: LateObjectsOptions,
  claimId: string,
  { locations, isLast }: DueObjects,
): Promise<void> {
  // While copies are moved from one store to another, their claims are in one table.
  const own = locations.filter((location) => location.startsWith(objects.address.prefix))
  await forEachBounded(own, OBJECTS_AT_ONCE, async (location) => {
    const headers = await objects.head(0, location)
    const object = headers && objectOf(headers)
    const facts = object?.facts
    if (object?.isPlaceholder && isLast) await objects.delete(0, location, { etag: object.etag })
    if (!object || facts?.claim !== claimId) return
    const site = { blogId: facts.site, globals }
    const record = (await readCopyRecords(db, site, [facts.page])).get(facts.page)
    const isHere = record !== undefined && target.locate(record.url) === location
    // A record without a digest: its page is being written.
    if (isHere && (record.digest === undefined || record.fileTime === facts.written)) return
    await objects.delete(facts.site, location, { etag: object.etag })
    log.warn(
      { site: facts.site, page: facts.page, object: location },
      'a process that was suspended has written a static copy late; it was removed',
    )
    if (record) await publishAgain(db, globals, facts)
  })
}

async function publishAgain(
  db: Database,
  globals: GlobalTables,
  { site: blogId, page }: CopyFacts,
): Promise<void> {
  const site = await findSite(db, globals, blogId)
  if (site === undefined) return
  const change = { bake: true, work: workOn('page', [page]) }
  await db.write({ site, isWork: true }, (tx) => recordChange(tx, site, change))
}
