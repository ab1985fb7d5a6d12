import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openSite, readEditable } from '../support/editable-site.ts'
import { makeEdit, randomEdit } from '../support/random-edits.ts'
import { runsOf } from '../support/runs-of.ts'
import { use } from '../support/use.ts'
import { startEditedSite } from './edited-site.ts'

const shop = await use(startEditedSite(2))
const editable = await readEditable(shop.front.network.db, shop.site)

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
    { numRuns: Number(process.env.EDIT_RUNS ?? runsOf(40)), endOnFailure: true },
  )
})
