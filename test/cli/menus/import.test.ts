import { beforeAll, describe, expect, it } from 'vitest'
import { useMenusCli } from '../../support/menus-cli.ts'

const cli = await useMenusCli()
const shop = await cli.network.site(2)
const docs = await cli.network.site(3)

const NOTHING = '1 site: 0 steps on 0 sites, 1 without changes\n'
const EXISTS =
  '1 site is blocked by problems. Nothing was written. Use --dry-run to see the differences, and --replace to write the menu.\n'

const text = async (slug: string, site: number): Promise<string> =>
  (await cli.run('export', slug, '--site', String(site))).stdout

describe('a menu that moves to another site', () => {
  beforeAll(async () => {
    await cli.addPost(docs, { slug: 'home' })
    const about = await cli.addPost(docs, { slug: 'about-us', title: 'About the docs' })
    await cli.addPost(docs, { slug: 'team', parent: about })
    await cli.addPost(docs, { slug: 'jobs-careers-its-us', parent: about })
  })

  it('has the same tree there, and is assigned to one location', async () => {
    const file = await cli.file(await text('main-menu', 2))
    const args = ['import', file, '--site', '3', '--location', 'footer_2']
    const report = await cli.json(0, ...args)
    expect(report).toMatchObject({ state: 'done', results: [{ state: 'applied', steps: 2 }] })
    expect((await cli.exported('main-menu', 3)).locations).toEqual([{ location: 'footer_2' }])
    const { locations: _, ...there } = await cli.exported('main-menu', 3)
    const { locations, ...here } = await cli.exported('main-menu', 2)
    expect(there).toEqual(here)
    const items = await cli.itemsOf('main-menu', docs)
    expect(items.map(({ title }) => title).slice(0, 4)).toEqual([
      'home',
      'About the docs',
      'team',
      'Careers',
    ])
    expect(items[4]).toMatchObject({
      url: 'https://example.com/?a=1&b=2#top',
      target: '_blank',
      classes: ['one', 'two'],
      xfn: 'me nofollow',
      attr_title: 'Tip',
      description: 'Desc',
    })
    expect(items[5]).toMatchObject({ url: '/relative/path', parent: items[4]?.id })
    expect(items[7]).toMatchObject({ type: 'taxonomy', object: 'category', title: 'Uncategorized' })
  })

  it.each([
    [[], 'The locations in the file stay as they are (header, footer_3:de). Add --assign to'],
    [['--location', 'header'], ''],
    [['--assign'], ''],
  ])('says which locations it leaves with the options %j', async (options, said) => {
    const locations = [{ location: 'header' }, { location: 'footer_3', lang: 'de' }]
    const file = await cli.file({ name: 'Located', locations, items: [] })
    const { code, stderr } = await cli.run('import', file, '--site', '2', '--dry-run', ...options)
    expect([code, stderr]).toEqual([0, said && expect.stringContaining(said)])
  })

  it('has links to the new site instead of the original one', async () => {
    const items = [
      { url: '/contact?from=menu', title: 'Contact' },
      { url: '/', title: 'Home' },
      { url: 'http://net.test/docs/guide', title: 'The docs' },
      { url: '/shop/x', as_is: true, title: 'On the host' },
      { url: '#', title: 'Nothing', description: '<b>Two</b>\nlines ' },
      { url: '', as_is: true, title: 'A heading' },
    ]
    const file = await cli.file({ name: 'Links', items })
    expect((await cli.run('import', file, '--site', '2')).code).toBe(0)
    expect((await cli.itemsOf('links', shop)).map(({ url }) => url)).toEqual([
      'http://net.test/shop/contact?from=menu',
      'http://net.test/shop/',
      'http://net.test/docs/guide',
      '/shop/x',
      '#',
      '',
    ])
    expect((await cli.exported('links', 2)).items).toEqual(items)
    await cli.run('import', await cli.file(await text('links', 2)), '--site', 'brand.test')
    const moved = await cli.itemsOf('links', await cli.network.site(4))
    expect(moved.map(({ url }) => url).slice(0, 3)).toEqual([
      'http://brand.test/contact?from=menu',
      'http://brand.test/',
      'http://net.test/docs/guide',
    ])
    // The address of a subsite is not an address of the main site.
    const main = await cli.file({ name: 'Main links', items: [items[0], items[2]] })
    await cli.run('import', main, '--site', '1')
    expect((await cli.exported('main-links', 1)).items).toEqual([items[0], items[2]])
  })
})

describe('a menu that is imported into its own site', () => {
  it('stays unchanged if a link is stored in an equivalent form', async () => {
    const items = [
      { url: '/', title: 'Shop' },
      { url: '/contact', title: 'Contact' },
    ]
    await cli.run('import', await cli.file({ name: 'Equivalent', items }), '--site', '2')
    const made = await cli.itemsOf('equivalent', shop)
    const stored = ['http://net.test/shop', 'https://NET.test/shop/contact']
    for (const [index, meta_value] of stored.entries()) {
      await cli.network.db
        .sql(shop.tables.postmeta)
        .where({ post_id: made[index]?.id, meta_key: '_menu_item_url' })
        .update({ meta_value })
    }
    const before = await cli.itemsOf('equivalent', shop)
    expect(before.map(({ url }) => url)).toEqual(stored)
    const file = await cli.file(await text('equivalent', 2))
    const { code, stdout } = await cli.run('import', file, '--site', '2')
    expect([code, stdout]).toEqual([0, NOTHING])
    expect(await cli.itemsOf('equivalent', shop)).toEqual(before)
    // A path on the host is another address, although it has the same text.
    const ofHost = { name: 'Equivalent', items: [items[0], { ...items[1], as_is: true }] }
    await cli.run('import', await cli.file(ofHost), '--site', '2', '--replace')
    expect((await cli.itemsOf('equivalent', shop)).map(({ url }) => url)).toEqual([
      'http://net.test/shop',
      '/contact',
    ])
  })

  it('is not replaced without --replace', async () => {
    const wanted = { name: 'Hauptmenü', slug: 'hauptmenu', items: [{ page: 'uber-uns' }] }
    const file = await cli.file(wanted)
    const before = await cli.itemsOf('hauptmenu', shop)
    const { code, stdout, stderr } = await cli.run('import', file, '--site', '2')
    expect([code, stderr]).toEqual([1, EXISTS])
    expect(stdout).toContain('! menu hauptmenu: It exists and differs.\n')
    expect(await cli.itemsOf('hauptmenu', shop)).toEqual(before)
  })

  it('shows the changes in a dry run, and writes nothing', async () => {
    const tree = await cli.exported('hauptmenu', 2)
    const changed = { ...tree, name: 'Menü', items: tree.items.slice(1) }
    changed.items[1].children[0].title = 'Other'
    const file = await cli.file(changed)
    const before = await cli.itemsOf('hauptmenu', shop)
    const { code, stdout } = await cli.run('import', file, '--site', '2', '--dry-run')
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      '  ~ 1 menu replaced',
      expect.stringMatching(/^1 site: 1 step on 1 site/),
      '',
      expect.stringMatching(/^net\.test\/shop \(site 2\): 1 step/),
      '  ~ menu hauptmenu (replaced)',
      '      - name: "Hauptmenü"',
      '      + name: "Menü"',
      '      removed page startseite',
      expect.stringMatching(/^ {6}renamed ".+" \/ "Other" from "Relative" to "Other"$/),
      '',
    ])
    expect(await cli.itemsOf('hauptmenu', shop)).toEqual(before)
  })

  it('gets a number if another menu has its name, and is up to date then', async () => {
    const file = await cli.file({ ...(await cli.exported('hauptmenu', 2)), slug: 'copy' })
    const { code, stdout } = await cli.run('import', file, '--site', '2')
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        'warning: menu copy: Another menu has the name, so this one gets the name "Hauptmenü (2)".\n',
      ),
    ])
    expect((await cli.exported('copy', 2)).name).toBe('Hauptmenü (2)')
    expect((await cli.run('import', file, '--site', '2')).stdout).toContain(NOTHING)
  })

  it('keeps items that a file cannot contain', async () => {
    const file = await cli.file(await text('footer', 2))
    const before = await cli.itemsOf('footer', shop)
    const { code, stdout } = await cli.run('import', file, '--site', '2')
    expect([code, stdout]).toEqual([0, NOTHING])
    const tree = await cli.exported('footer', 2)
    const more = await cli.file({ ...tree, items: [{ url: '/new', title: 'New' }, ...tree.items] })
    await cli.run('import', more, '--site', '2', '--replace')
    const [added, ...others] = await cli.itemsOf('footer', shop)
    expect(added?.title).toBe('New')
    expect(others.map(({ id, parent, title }) => [id, parent, title])).toEqual(
      before.map(({ id, parent, title }) => [id, parent, title]),
    )
  })
})

describe('an import with missing targets', () => {
  it('reports all problems at once, and writes nothing', async () => {
    const text = `name: Lacking
assign: true
locations:
  - location: top
  - location: header
    lang: xx
items:
  - page: nowhere
    children:
      - page: team
  - post: hello
  - term: news
    taxonomy: post_tag
  - page: private-page
  - url: javascript:alert(1)
    title: Bad
`
    const wrong = await cli.run('import', await cli.file(text), '--site', '2')
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('menu Lacking: Unknown location "top".'),
    })
    const file = await cli.file(text.replace('  - location: top\n', ''))
    const { code, stdout, stderr } = await cli.run('import', file, '--site', '2')
    expect(code).toBe(1)
    expect(stdout.trimEnd().split('\n').slice(3)).toEqual([
      expect.stringMatching(
        / menu lacking: \d+\.yaml, line 7, item 0: This site has no page "nowhere"\./,
      ),
      expect.stringMatching(
        / menu lacking: \d+\.yaml, line 9, item 0\.0: This site has no page "team"\. Similar: "about-us\/team" \(en\)\./,
      ),
      expect.stringMatching(
        / menu lacking: \d+\.yaml, line 10, item 1: This site has no post "hello"\./,
      ),
      expect.stringMatching(
        / menu lacking: \d+\.yaml, line 11, item 2: This site has no post_tag "news"\./,
      ),
      expect.stringMatching(/ line 13, item 3: The page 20 \(private-page\) is not published/),
      expect.stringMatching(/ line 14, item 4: This address is empty/),
      expect.stringMatching(/! location header:xx: The languages of this site: en, /),
    ])
    expect(stderr).toBe(
      '1 site is blocked by problems. Nothing was written. Use --allow-invalid to leave out unpublished pages.\n',
    )
    expect(await cli.itemsOf('lacking', shop)).toEqual([])
    const { plans } = await cli.json(1, 'import', file, '--site', '2')
    expect(plans[0].problems).toHaveLength(7)
  })

  it('leaves out unpublished pages with their branches with --allow-invalid', async () => {
    const items = [{ page: 'private-page', children: ['legal'] }, 'legal']
    const file = await cli.file({ name: 'Partly', items })
    const { code, stdout } = await cli.run('import', file, '--site', '2', '--allow-invalid')
    expect(code).toBe(0)
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/ warning: menu partly: \S+, line \d+, item 0: It is left out: /),
      expect.stringMatching(/ warning: menu partly: \S+, line \d+, item 0\.0: It is left out: /),
    ])
    expect((await cli.exported('partly', 2)).items).toEqual([{ page: 'legal' }])
  })
})
