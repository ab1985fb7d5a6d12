import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Bakery } from '../../../src/build/baking/bakery/bakery.ts'
import { bakedOption } from '../../../src/content/frames/option-names.ts'
import { createLog } from '../../../src/host/log.ts'
import { statementsOf } from '../../support/statements.ts'
import { useExecutorFixture } from './executor-fixture.ts'

const shop = await useExecutorFixture()
await shop.frame('card', '<b data-op-bind="site.title">x</b>')
await shop.frame('page', '<h1 data-op-bind="page.title">x</h1>1<!-- svc/frame {"name":"card"} /-->')
await shop.assign('page', [10, 11])

const page = (text: string) =>
  `<h1 data-op-bind="page.title">x</h1>${text}<!-- svc/frame {"name":"card"} /-->`

/** Renders the page. Returns the output and whether a copy was stored. */
async function renderAndSee(): Promise<{ html: string | undefined; stored: boolean }> {
  let html: string | undefined
  const statements = await statementsOf(shop.network.db, async () => {
    html = await shop.render(10)
  })
  return { html, stored: statements.some((statement) => /^insert/i.test(statement)) }
}

async function setCopy(slug: string, text: string | undefined): Promise<void> {
  const option_name = bakedOption(await shop.idOf(slug))
  const row = shop.network.db.sql(shop.site.tables.options).where({ option_name })
  if (text === undefined) await row.delete()
  else await row.update({ option_value: text })
}

describe('a renderer', () => {
  it('prints the stored copy while it is fresh', async () => {
    expect(await renderAndSee()).toEqual({ html: '<h1>Team</h1>1<b>shop</b>', stored: false })
  })

  it('bakes and stores a copy that a write left stale', async () => {
    const effects = await shop.frame('page', page('2'), { bake: false })
    expect(effects).toMatchObject({ bake: { status: 'skipped' }, rebaked: { status: 'skipped' } })
    expect(await shop.copyOf('page')).toContain('1')
    expect(await renderAndSee()).toEqual({ html: '<h1>Team</h1>2<b>shop</b>', stored: true })
    expect(await renderAndSee()).toEqual({ html: '<h1>Team</h1>2<b>shop</b>', stored: false })
  })

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'an embedded frame was replaced',
      () => shop.frame('card', '<i>card</i>', { bake: false }),
      '<i>card</i>',
    ],
    ['an embedded frame was deleted', () => shop.removeFrame('card', { bake: false }), ''],
    [
      'it was created again',
      () => shop.frame('card', '<u data-op-bind="site.title"></u>', { bake: false }),
      '<u>shop</u>',
    ],
    [
      'a setting was changed',
      () => shop.setOption('blogname', 'Shop &amp; more'),
      '<u>Shop &amp; more</u>',
    ],
    ['the copy was lost', () => setCopy('page', undefined), '<u>Shop &amp; more</u>'],
    ['the copy is damaged', () => setCopy('page', 'a:1:{i:0;i:1;}'), '<u>Shop &amp; more</u>'],
  ])('bakes again if %s', async (_, change, card) => {
    await change()
    const expected = `<h1>Team</h1>2${card}`
    expect(await renderAndSee()).toEqual({ html: expected, stored: true })
    expect(await renderAndSee()).toEqual({ html: expected, stored: false })
  })

  it('bakes once for concurrent requests', async () => {
    await shop.frame('page', page('3'), { bake: false })
    const pages: (string | undefined)[] = []
    const statements = await statementsOf(shop.network.db, async () => {
      pages.push(...(await Promise.all(Array.from({ length: 20 }, () => shop.render(10)))))
    })
    expect(new Set(pages)).toEqual(new Set(['<h1>Team</h1>3<u>Shop &amp; more</u>']))
    expect(statements.filter((statement) => /^insert/i.test(statement))).toHaveLength(1)
  })

  it('does not bake if only the copy of another language is stale', async () => {
    await shop.frame(
      'page',
      '<h1 data-op-bind="page.title">x</h1><!-- svc/menu {"location":"header"} /-->',
    )
    const { db } = shop.network
    const menu = await db
      .sql(shop.site.tables.terms)
      .where({ slug: 'menu-principal' })
      .first('term_id')
    await db.sql(shop.site.tables.terms).where(menu).update({ slug: 'menu-secondaire' })
    expect(await renderAndSee()).toMatchObject({ stored: false })
    expect(await shop.render(11)).toContain('<ul id="menu-menu-secondaire"')
    await shop.frame('page', page('4'))
  })

  it('prints edits made in WordPress to menus, pages and languages', async () => {
    const { db } = shop.network
    const { posts, terms } = shop.site.tables
    await shop.frame(
      'page',
      '<!-- svc/menu {"location":"header"} /--><!-- svc/repeat {"source":"pages"} --><i data-op-bind="href:item.url"></i><!-- /svc/repeat --><!-- svc/repeat {"source":"languages"} --><b data-op-bind="item.name"></b><!-- /svc/repeat -->',
    )
    await db.sql(posts).where({ ID: 7 }).update({ post_name: 'company' })
    await db.sql(terms).where({ slug: 'de', name: 'Deutsch' }).update({ name: 'German' })
    const { html, stored } = await renderAndSee()
    expect(stored).toBe(true)
    expect(html).toContain('<a href="http://net.test/shop/company/">About us</a>')
    expect(html).toContain('<i href="http://net.test/shop/company/team/"></i>')
    expect(html).toContain('<b>German</b>')
  })
})

describe('a copy that cannot be stored', () => {
  const REFUSED = 'copies are refused in this test'

  beforeAll(async () => {
    const { options } = shop.site.tables
    for (const event of ['INSERT', 'UPDATE']) {
      await shop.network.db.sql.raw(
        `CREATE TRIGGER refuse_${event} BEFORE ${event} ON ?? FOR EACH ROW
         IF NEW.option_name LIKE '%_baked' THEN
           SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${REFUSED}';
         END IF`,
        [options],
      )
    }
  })
  afterAll(async () => {
    for (const event of ['INSERT', 'UPDATE'])
      await shop.network.db.sql.raw(`DROP TRIGGER refuse_${event}`)
  })

  it('is reported by the write, which stays committed', async () => {
    const { bake } = await shop.frame('page', page('5'))
    expect(bake).toEqual({
      status: 'failed',
      message: expect.stringContaining('Your change is saved.'),
    })
    expect(JSON.stringify(bake)).not.toContain(REFUSED)
  })

  it('is printed nevertheless', async () => {
    expect(await shop.render(10)).toBe('<h1>Team</h1>5<u>Shop &amp; more</u>')
  })
})

it('a copy that cannot be built is not logged as a copy that was not stored', async () => {
  const [silent, error] = [createLog('silent'), vi.fn()]
  const broken = await useExecutorFixture(2, {
    ...silent,
    error,
    child: silent.child.bind(silent),
  })
  await broken.frame('page', '<p>x</p>')
  await broken.assign('page', [10])
  await broken.frame('page', '<p>y</p>', { bake: false })
  const bake = vi.spyOn(Bakery.prototype, 'tryInline').mockRejectedValue(new Error('not built'))
  await expect(broken.render(10)).rejects.toThrow('not built')
  bake.mockRestore()
  expect(error).not.toHaveBeenCalled()
})

it('the executor prints copies that are too large to be stored', async () => {
  // Short texts that differ, so that the languages share none: 4 times 2.5 MB.
  const rows = Array.from({ length: 1000 }, (_, index) => ({ n: index }))
  await shop.setOption('svc_data_rows', JSON.stringify(rows))
  const cell = `<td data-op-bind="title:item.n; item.n"></td><td data-op-bind="site.lang"></td>`
  const { bake } = await shop.frame(
    'huge',
    `<!-- svc/repeat {"source":"dataset.rows"} -->${`${cell}${'x'.repeat(150)}`.repeat(12)}<!-- /svc/repeat -->`,
  )
  expect(bake).toMatchObject({
    status: 'ok',
    response: { warnings: [expect.stringContaining('too large to store')] },
  })
  await shop.assign('huge', [10, 11])
  const html = (await shop.render(11)) ?? ''
  expect(html).toContain('<td title="999">999</td><td>fr</td>')
  expect((await shop.copyOf('huge'))?.length).toBeLessThan(10_000)
})
