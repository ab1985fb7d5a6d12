import { expect, it } from 'vitest'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { seenTables } from '../../src/changes/seen-tables.ts'
import { createFrame } from '../../src/content/frames/create-frame.ts'
import { metaOption } from '../../src/content/frames/option-names.ts'
import { eventually } from '../support/eventually.ts'
import type { SqlDatabase } from '../support/open-database.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { startEditedSite } from './edited-site.ts'

const edited = await use(startEditedSite(2))
const { network, executor } = edited.front
const site = createSiteFixture(network.db, edited.site, { executor })

it('the comparison keeps the metas of frames that the service writes while the site is compared', async () => {
  const { db, globals } = edited.front.network
  const slugs = Array.from({ length: 8 }, (_, at) => `written-${at}`)
  for (const slug of slugs) await site.frame(slug, slug, { bake: false })
  const ids = await Promise.all(slugs.map((slug) => site.idOf(slug)))
  let isWriting = true
  const write = async (slug: string): Promise<void> => {
    for (let number = 0; number < 40; number += 1)
      await site.frame(slug, `${slug} ${number}`, { bake: false })
  }
  const compare = async (): Promise<void> => {
    while (isWriting) {
      await recordEdits({ db, globals }, 2)
      for (const [at, id] of ids.entries())
        expect(await site.option(metaOption(id)), `the meta of ${slugs[at]}`).toBeDefined()
    }
  }
  const writing = Promise.all(slugs.map(write)).finally(() => {
    isWriting = false
  })
  await Promise.all([writing, compare()])
})

it('the first comparison of a site keeps the metas of frames that the service is writing', async () => {
  const { db, globals } = edited.front.network
  const { sites, options } = seenTables(globals)
  for (const table of [sites, options]) await db.sql(table).where({ blog_id: 2 }).delete()
  const write = {
    slug: 'first',
    html: '<p>x</p>',
    userId: 1,
    now: '2026-01-02 03:04:05',
    bake: false,
  }
  let comparison: Promise<unknown> | undefined
  const { frame } = await db.write({ site: edited.site }, async (tx) => {
    const created = await createFrame(tx, edited.site, write)
    await tx.flush()
    comparison = recordEdits({ db, globals }, 2)
    // It waits for this transaction, or ends without its frame.
    const waits = eventually(async () => expect(await isLocking(db)).toBe(true))
    await Promise.race([comparison, waits])
    waits.catch(() => {})
    return created
  })
  await comparison
  await recordEdits({ db, globals }, 2)
  expect(await site.option(metaOption(frame.id))).toBeDefined()
})

/** Whether a statement that locks rows is running: it waits for them. */
async function isLocking({ sql }: SqlDatabase): Promise<boolean> {
  const [rows] = await sql.raw(
    "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'SELECT option_name%FOR UPDATE'",
  )
  return rows.length > 0
}
