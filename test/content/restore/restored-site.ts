import { randomUUID } from 'node:crypto'
import { writeChange } from '../../../src/changes/record-write.ts'
import { INLINE_ANALYZER } from '../../../src/content/frames/frame-markup.ts'
import { getFrame } from '../../../src/content/frames/read-frame.ts'
import { chooseTargets, type RestoreScope } from '../../../src/content/restore/choose-targets.ts'
import {
  type RestoreRequest,
  type RestoreWriter,
  runRestore,
} from '../../../src/content/restore/run-restore.ts'
import { writeAs } from '../../../src/db/database.ts'
import {
  CONTENT_KIND,
  type EntryRow,
  historyTable,
} from '../../../src/record/history/history-row.ts'
import { type HistoryFilter, listEntries } from '../../../src/record/history/read-history.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'
import type { TestNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'

/** Writes on a site as requests of user 1, and restores of it. */
export function createRestoredSite({ db, globals }: TestNetwork, site: Site) {
  const as = (requestId: string) => ({
    ...db,
    ...writeAs(db, { userId: 1, tokenId: null, label: 'cli', requestId }),
  })
  /** Writes as one request. @returns its id */
  const write = async (
    work: (fixture: ReturnType<typeof createSiteFixture>) => Promise<unknown>,
  ): Promise<string> => {
    const requestId = randomUUID()
    await work(createSiteFixture(as(requestId), site))
    return requestId
  }
  /** The newest entry of the history of the site. */
  const newest = async (filter: Partial<HistoryFilter> = {}): Promise<EntryRow> => {
    const [entry] = await listEntries(db, globals, site.blogId, { ...filter, limit: 1 })
    if (!entry) throw new Error('nothing was written')
    return entry
  }
  const restore = async (
    scope: RestoreScope,
    { dryRun = false, ...request }: Partial<RestoreRequest> & { dryRun?: boolean } = {},
    writer: Partial<RestoreWriter> = {},
  ) => {
    const db = as(randomUUID())
    const chosen = await chooseTargets(db, site, scope)
    const whole = { bake: true, isWhole: 'moment' in scope, ...request }
    return writeChange(db, { site, dryRun }, (tx) =>
      runRestore(tx, site, chosen, whole, {
        userId: 1,
        unfilteredHtml: true,
        maxSiteBytes: undefined,
        analyzer: INLINE_ANALYZER,
        now: () => new Date(),
        ...writer,
      }),
    )
  }
  /** Deletes the content of an entry, as a damaged history has lost it. */
  const loseContent = async (id: number): Promise<void> => {
    const rows = () => db.sql(historyTable(globals))
    const { content: hash } = await rows().where({ id }).first('content')
    await rows().where({ kind: CONTENT_KIND, hash }).delete()
  }
  const htmlOf = async (slug: string) => (await getFrame(db, site, slug)).record.html
  return { fixture: createSiteFixture(db, site), write, newest, restore, loseContent, htmlOf }
}
