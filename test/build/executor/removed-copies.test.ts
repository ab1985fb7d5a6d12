import { existsSync } from 'node:fs'
import { readdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listSitesWithCopies } from '../../../src/build/publishing/copies-table.ts'
import { recordEdits } from '../../../src/changes/record-edits.ts'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { workOn } from '../../../src/content/work/work.ts'
import type { Effects } from '../../../src/host/effects.ts'
import { eventually } from '../../support/eventually.ts'
import { useFront } from '../../support/front.ts'
import { statementsOf } from '../../support/statements.ts'
import { useFolder } from '../../support/use.ts'
import { makeDue, pendingWork } from '../../support/work-rows.ts'

const PAGE = '<h1 data-op-bind="page.title"></h1>'

const front = await useFront()

it('a page that is not public any more loses its copy although its frame cannot be baked', async () => {
  await front.frame(2, 'page', PAGE)
  await front.assign(2, 'page', [7, 8, 9, 10, 13, 16])
  const hasCopy = (path: string) =>
    existsSync(join(front.staticDir, 'net.test/shop', path, 'index.html'))
  expect([hasCopy('about-us'), hasCopy('fr/a-propos')]).toEqual([true, true])
  const site = await front.network.site(2)
  const { db } = front.network
  const { id } = (await readRegistry(db, site)).get('page')
  const options = () => db.sql(site.tables.options)
  await options().where('option_name', 'like', '%_baked').delete()
  await options()
    .where({ option_name: recordOption(id) })
    .update({ option_value: 'a:5:{s:4' })
  await db.sql(site.tables.posts).where({ ID: 7 }).update({ post_status: 'private' })
  const change = { bake: true, work: workOn('pages') }
  let effects: Effects | undefined
  const statements = await statementsOf(db, async () => {
    effects = await front.executor.apply(site, change)
  })
  const { statics, rebaked } = effects as unknown as Effects
  // One statement for all pages on the frame, and those that find and remove the copy of the other page.
  expect(statements.filter((text) => /^select.*svc_pages/is.test(text)).length).toBeLessThan(5)
  expect(rebaked.status).toBe('failed')
  expect(statics.get(7)).toMatchObject({ reason: 'page_not_public', published: false })
  expect(statics.get(8)).toMatchObject({ published: true, reason: 'failed' })
  expect([hasCopy('about-us'), hasCopy('fr/a-propos')]).toEqual([false, true])
})

it('a deleted site keeps the records of copies that cannot be removed, until they can', async () => {
  await front.frame(4, 'page', PAGE)
  await front.assign(4, 'page', [2])
  const { db, globals } = front.network
  const outside = await useFolder('outside')
  const [host, moved] = [join(front.staticDir, 'brand.test'), join(outside, 'brand.test')]
  await rename(host, moved)
  await symlink(moved, host)
  await db.sql(globals.blogs).where({ blog_id: 4 }).delete()
  expect(await recordEdits({ db, globals }, 4)).toBeDefined()
  front.executor.wake(4)
  await eventually(async () =>
    expect(await pendingWork(front.network, 4)).toMatchObject([{ tries: 1 }]),
  )
  expect(await readdir(moved)).toEqual(['sample-page'])
  expect(await listSitesWithCopies(db, globals)).toContain(4)

  await rm(host)
  await rename(moved, host)
  await makeDue(front.network)
  await front.executor.finish(4)
  expect(existsSync(host)).toBe(false)
  expect(await listSitesWithCopies(db, globals)).not.toContain(4)
})
