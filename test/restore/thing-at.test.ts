import { describe, expect, it } from 'vitest'
import { findThingAt, readState } from '../../src/restore/thing-at.ts'
import { cloneNetwork } from '../support/network.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { createRestoredSite } from './restored-site.ts'

const network = await use(cloneNetwork())
const { db } = network
const site = await network.site(2)
const { write, newest, fixture } = createRestoredSite(network, site)

/** The markup of the frame that had this id or slug after an entry. */
async function markupAt(ref: string, entry: number, current?: string) {
  const found = await findThingAt(db, site, { kind: 'frame', ref, current }, { entry })
  return found?.entry ? (await readState(db, site, found.entry))?.content : found?.id
}

describe('the thing of a moment', () => {
  it('is found by its name at that time, also after it was renamed and deleted', async () => {
    await write((shop) => shop.frame('then', 'first'))
    const created = await newest()
    await write((shop) => shop.frame('then', 'second'))
    const replaced = await newest()
    await write((shop) => shop.removeFrame('then'))
    const deleted = await newest()
    await write((shop) => shop.frame('then', 'another frame'))
    const current = await fixture.idOf('then')
    expect(await markupAt('then', created.id, current)).toBe('first')
    expect(await markupAt('then', replaced.id, current)).toBe('second')
    expect(await markupAt(created.ref, created.id)).toBe('first')
    expect(await markupAt('then', deleted.id, current)).toBeUndefined()
    const gone = { kind: 'frame', ref: 'then', current: undefined } as const
    expect(await findThingAt(db, site, gone, { entry: deleted.id })).toBeUndefined()
    expect(await markupAt('then', (await newest()).id, current)).toBe('another frame')
  })

  it('is not the one that has the name now, if that had another name', async () => {
    await write((shop) => shop.frame('later', '1'))
    const { id, ref } = await newest()
    expect(await markupAt('other-name', id, ref)).toBeUndefined()
  })

  it('is only an id if it has not been written since the history began', async () => {
    expect(await markupAt('untouched', (await newest()).id, 'aaaaaaaaaaaaaaaa')).toBe(
      'aaaaaaaaaaaaaaaa',
    )
  })

  it('does not exist after an entry of another site', async () => {
    const other = createSiteFixture(db, await network.site(3))
    await other.frame('elsewhere', '1')
    const { id } = await createRestoredSite(network, other.site).newest()
    const find = findThingAt(
      db,
      site,
      { kind: 'frame', ref: 'x', current: undefined },
      { entry: id },
    )
    await expect(find).rejects.toMatchObject({ code: 'entry_not_found' })
  })
})

describe('the state of an entry', () => {
  it('has the fields and the content; a deletion has none', async () => {
    await write((shop) => shop.frame('stated', '<p>1</p>'))
    const state = await readState(db, site, await newest())
    expect(state).toMatchObject({ fields: { slug: 'stated' }, content: '<p>1</p>' })
    await write((shop) => shop.removeFrame('stated'))
    expect(await readState(db, site, await newest())).toBeUndefined()
  })
})
