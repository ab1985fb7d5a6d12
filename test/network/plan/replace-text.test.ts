import { describe, expect, it } from 'vitest'
import { replaceText } from '../../../src/network/plan/replace-text.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const network = await useTruth()
const site = await network.site(2)
const shop = createSiteFixture(network.db, site)

/** What replacing one text by another makes of the site: frames by slug, the addresses of menus, and menus that are left alone. */
async function replaced(from: string, to: string) {
  const wanted = await replaceText(network.db, site, { from, to })
  expect(wanted).toMatchObject({ manages: 'named', pages: [], variables: undefined })
  return {
    frames: Object.fromEntries(wanted.frames.map(({ slug, html }) => [slug, html])),
    menus: Object.fromEntries(
      wanted.menus.map(({ slug, tree }) => [slug, tree.items.map(({ url, page }) => url ?? page)]),
    ),
    skipped: wanted.warnings?.map(({ name }) => name),
  }
}

describe('replaced text in frames', () => {
  it('is exactly the text, every time', async () => {
    await shop.frame('exact', 'old.test OLD.TEST old.test Größe%_')
    await shop.frame('other', 'OLD.TEST')
    const { frames } = await replaced('old.test', '$&new')
    expect(frames).toEqual({ exact: '$&new OLD.TEST $&new Größe%_' })
    expect((await replaced('e%_', '')).frames).toEqual({ exact: 'old.test OLD.TEST old.test Größ' })
    expect((await replaced('e_', 'x')).frames).toEqual({})
  })

  it('is refused where the markup would be larger than a frame may be', async () => {
    await shop.frame('letters', 'aaaa '.repeat(100))
    await expect(replaced('aaaa', 'b'.repeat(30_000))).rejects.toMatchObject({
      code: 'frame_too_large',
      message: expect.stringContaining('"letters"'),
    })
    await shop.removeFrame('letters')
  })

  it('is found in a record that another program has stored as JSON', async () => {
    await shop.frame('in-json', '<br>')
    const json = JSON.stringify({ html: '<a href="/from/é">x</a>' })
    const escaped = json.replaceAll('/', '\\/').replaceAll('é', '\\u00e9')
    await shop.setOption(`svc_frame_${await shop.idOf('in-json')}`, escaped)
    const { frames } = await replaced('href="/from/é"', 'href="/to"')
    expect(frames).toEqual({ 'in-json': '<a href="/to">x</a>' })
  })
})

describe('replaced text in menus', () => {
  const items = [
    { url: 'https://links.test/a', title: 'links.test' },
    { url: '/on-site/links', title: 'Path', children: [{ page: 'about-us' }] },
  ]

  it('is in the addresses of custom links only', async () => {
    await shop.menu({ name: 'Linked', items })
    expect((await replaced('links.test', 'x.test')).menus).toMatchObject({
      linked: expect.arrayContaining(['https://x.test/a', '/on-site/links']),
    })
    expect((await replaced('about-us', 'x')).menus).toEqual({})
  })

  it('is a problem of an item whose address would be too long', async () => {
    await shop.menu({ name: 'Short', items: [{ url: 'https://short.test/', title: 'x' }] })
    const wanted = await replaceText(network.db, site, { from: 'short', to: 'x'.repeat(3000) })
    expect(wanted.menus).toMatchObject([
      { slug: 'short', tree: { problems: [{ at: '0', reason: 'url_too_long' }] } },
    ])
  })

  it('may contain the address of the site, which paths are stored with', async () => {
    const { menus } = await replaced('net.test/shop/on-site', 'net.test/shop/off-site')
    expect(menus).toMatchObject({
      linked: expect.arrayContaining(['http://net.test/shop/off-site/links']),
    })
  })

  it('is left alone in a menu with items that a description cannot name', async () => {
    const page = await shop.page({ slug: 'soon-gone' })
    await shop.menu({ name: 'With a gap', items: [{ url: 'https://gap.test/' }, { page }] })
    await network.db.sql(site.tables.posts).where({ ID: page }).delete()
    expect(await replaced('gap.test', 'x.test')).toEqual({
      frames: {},
      menus: {},
      skipped: ['with-a-gap'],
    })
  })
})
