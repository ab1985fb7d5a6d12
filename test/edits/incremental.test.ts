import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordOption } from '../../src/frames/option-names.ts'
import { type EditableSite, openSite } from '../support/editable-site.ts'
import { makeEdit, randomEdit } from '../support/random-edits.ts'
import { type EditedSite, startEditedSite } from './edited-site.ts'

let shop: EditedSite
let editable: EditableSite
beforeAll(async () => {
  shop = await startEditedSite(2)
  const { site } = shop
  const { db } = shop.front.network
  const { posts, options, termTaxonomy } = site.tables
  const ofType = (post_type: string) => db.sql(posts).where({ post_type }).orderBy('ID').pluck('ID')
  const records: string[] = await db
    .sql(options)
    .whereRaw("option_name REGEXP '^svc_frame_[0-9a-f]{16}$'")
    .pluck('option_name')
  const frames = records.map((name) => name.slice(recordOption('').length))
  const menus = db.sql(termTaxonomy).where({ taxonomy: 'nav_menu' }).orderBy('term_id')
  editable = {
    ...{ db, site, frames, assignable: frames },
    pages: await ofType('page'),
    items: await ofType('nav_menu_item'),
    menus: await menus.pluck('term_id'),
  }
})
afterAll(() => shop.front.stop())

it('an incremental update yields the same copies as a full rebuild, byte for byte', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomEdit, { minLength: 1, maxLength: 4 }), async (edits) => {
      await openSite(editable)
      for (const edit of edits) await makeEdit(editable, edit)
      await shop.follow()
      const incremental = await shop.copies()
      await shop.rebuild()
      expect(Object.fromEntries(incremental)).toEqual(Object.fromEntries(await shop.copies()))
    }),
    { numRuns: Number(process.env.EDIT_RUNS ?? 40), endOnFailure: true },
  )
})
