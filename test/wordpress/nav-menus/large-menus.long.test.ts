/**
 * WordPress's REST API takes descriptions and addresses of any length for the items of a menu: hundreds of them are more than a process can keep in memory.
 */
import { describe, expect, it } from 'vitest'
import { describeSite } from '../../../src/network/description/describe-site.ts'
import { replaceText } from '../../../src/network/plan/replace-text.ts'
import { useDoctorFixture } from '../../network/doctor/doctor-fixture.ts'
import { startApi } from '../../support/api.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

const shop = await useDoctorFixture()
const { network, site } = shop
const { db } = network
const content = createSiteFixture(db, site)
const api = await use(startApi(network))
const admin = await api.as('admin')

const EIGHT_MB = 8 * 1024 * 1024

/** A menu whose items have descriptions of eight megabytes each. */
async function largeMenu(name: string, items: number): Promise<number> {
  const links = Array.from({ length: items }, (_, index) => ({ url: `/${index}`, title: 'x' }))
  const id = await content.menu({ name, items: links })
  const { posts, termRelationships, termTaxonomy } = site.tables
  await db.sql.raw(
    `UPDATE ?? p JOIN ?? tr ON tr.object_id = p.ID JOIN ?? tt ON tt.term_taxonomy_id = tr.term_taxonomy_id
      SET p.post_content = REPEAT('x', ?) WHERE tt.term_id = ?`,
    [posts, termRelationships, termTaxonomy, EIGHT_MB, id],
  )
  return id
}

describe('a menu that is too large to be read', async () => {
  const id = await largeMenu('Large', 5)
  await content.frame('with', `<!-- svc/menu {"menu":"large"} /-->`)
  await content.frame('without', '<p data-op-bind="site.title"></p>')

  it('is refused by its name, for reading and writing', async () => {
    const error = {
      error: 'menu_too_large',
      max_bytes: 32 * 1024 * 1024,
      message: expect.stringContaining('The items of the menu "Large"'),
    }
    for (const path of [`menus/${id}`, 'menus/large?links=1', 'menus/large/file'])
      expect((await admin.get(`/site/2/${path}`).expect(413)).body).toMatchObject(error)
    const item = { url: '/more', title: 'More' }
    const written = await admin.post(`/site/2/menus/${id}/items`).send(item).expect(413)
    expect(written.body).toMatchObject(error)
  })

  it('fails the frames that show it, and no others', async () => {
    const { body } = await admin.post('/site/2/frames/rebake').send({ all: true }).expect(200)
    const frames = new Map(
      body.rebaked.frames.map((one: { slug: string }) => [one.slug, one] as const),
    )
    expect(frames.get('with')).toMatchObject({
      bake: 'failed',
      detail: expect.stringContaining('The items of the menu "Large"'),
    })
    expect(frames.get('without')).toMatchObject({ bake: 'baked' })
  })

  it('is a finding, beside the others', async () => {
    const found = await shop.examine('menu_too_large', 'frame_unused')
    expect(found.map(({ check, about }) => [check, about?.ref])).toEqual(
      expect.arrayContaining([
        ['menu_too_large', String(id)],
        ['frame_unused', 'without'],
      ]),
    )
  })

  it('is left out of a description, and of the replacement of a text', async () => {
    const { bundle, notes } = await describeSite(db, site)
    expect(bundle.menus.map(({ slug }) => slug)).not.toContain('large')
    expect(notes.join()).toContain('the menu "large" is left out')
    const { menus, warnings } = await replaceText(db, site, { from: '/0', to: '/zero' })
    expect(menus.map(({ slug }) => slug)).not.toContain('large')
    expect(warnings).toMatchObject([{ name: 'large', reason: 'menu_left_alone' }])
  })

  it('does not keep what else was edited from being found', async () => {
    await admin.post('/site/2/changed').send({}).expect(200)
    // Its history knows the menu from before.
    const small = await content.menu({ name: 'Known', items: [{ url: '/', title: 'x' }] })
    const written = await admin.post(`/site/2/menus/${small}/items`).send({ url: '/y', title: 'y' })
    expect(written.status).toBe(200)
    await db
      .sql(site.tables.posts)
      .where({ post_type: 'nav_menu_item', post_title: 'y' })
      .update({ post_content: db.sql.raw("REPEAT('y', ?)", [9 * 1024 * 1024]) })
    const page = await content.page({ slug: 'edited-beside' })
    await content.assign('without', [page])
    await db
      .sql(site.tables.posts)
      .where({ ID: page })
      .update({ post_title: 'Edited', post_modified_gmt: '2031-01-01 00:00:00' })
    const { body } = await admin.post('/site/2/changed').send({}).expect(200)
    expect(JSON.stringify(body)).toContain(String(page))
  })
})

it('menus that are too large together fail the frames that show all of them', async () => {
  const slugs = ['first', 'second', 'third']
  for (const slug of slugs) await largeMenu(slug, 3)
  const markup = (names: readonly string[]): string =>
    names.map((menu) => `<!-- svc/menu {"menu":"${menu}"} /-->`).join('')
  await content.frame('one-of-them', markup(slugs.slice(0, 1)))
  await content.frame('all-of-them', markup(slugs))
  const bake = async (slug: string) =>
    (await admin.post(`/site/2/frames/${slug}/rebake`).send({})).body
  expect(JSON.stringify(await bake('one-of-them'))).not.toContain('together')
  expect(JSON.stringify(await bake('all-of-them'))).toContain('more than 64 MB together')
})
