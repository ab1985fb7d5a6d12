import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { type MenusCli, startMenusCli } from '../../support/menus-cli.ts'

let cli: MenusCli
let shop: Site
let docs: Site
beforeAll(async () => {
  cli = await startMenusCli()
  shop = await cli.network.site(2)
  docs = await cli.network.site(3)
})
afterAll(() => cli.stop())

const text = async (slug: string, site: number): Promise<string> =>
  (await cli.run('export', slug, '--site', String(site))).stdout

describe('a menu that moves to another site', () => {
  beforeAll(async () => {
    await cli.addPost(docs, { slug: 'home' })
    const about = await cli.addPost(docs, { slug: 'about-us', title: 'About the docs' })
    await cli.addPost(docs, { slug: 'team', parent: about })
    await cli.addPost(docs, { slug: 'jobs-careers-its-us', parent: about })
  })

  it('stands there as it stood, in one of its places', async () => {
    const file = await cli.file(await text('main-menu', 2))
    const args = ['import', file, '--site', '3', '--location', 'footer_2']
    const report = await cli.json(0, ...args)
    expect(report).toMatchObject({
      result: 'created',
      menu: { name: 'Main menu', slug: 'main-menu' },
      items: 8,
      locations: [{ location: 'footer_2' }],
      warnings: [],
    })
    const { locations: _, ...there } = await cli.exported('main-menu', 3)
    const { locations, ...here } = await cli.exported('main-menu', 2)
    expect(there).toEqual(here)
    const items = await cli.itemsOf('main-menu', docs)
    expect(items.map(({ title }) => title).slice(0, 4)).toEqual([
      ...['home', 'About the docs', 'team', 'Careers'],
    ])
    expect(items[4]).toMatchObject({
      url: 'https://example.com/?a=1&b=2#top',
      target: '_blank',
      classes: ['one', 'two'],
      xfn: 'me nofollow',
      attrTitle: 'Tip',
      description: 'Desc',
    })
    expect(items[5]).toMatchObject({ url: '/relative/path', parent: items[4]?.id })
    expect(items[7]).toMatchObject({ type: 'taxonomy', object: 'category', title: 'Uncategorized' })
  })

  it('leaves the rows that WordPress would, but for what is the other site’s own', async () => {
    const rowsOf = async (site: Site) => {
      const ids = (await cli.itemsOf('main-menu', site)).map(({ id }) => id)
      const metas: { post_id: number; meta_key: string; meta_value: string }[] =
        await cli.network.db.sql(site.tables.postmeta).whereIn('post_id', ids).orderBy('meta_id')
      const own = new Set(['_menu_item_object_id', '_menu_item_menu_item_parent'])
      const posts: Record<string, unknown>[] = await cli.network.db
        .sql(site.tables.posts)
        .whereIn('ID', ids)
        .orderBy('menu_order')
        .select('post_title', 'post_content', 'post_excerpt', 'post_status', 'menu_order')
      return {
        posts,
        metas: ids.map((id) =>
          metas
            .filter((meta) => meta.post_id === id && !own.has(meta.meta_key))
            .map(({ meta_key, meta_value }) => `${meta_key} ${meta_value}`),
        ),
      }
    }
    expect(await rowsOf(docs)).toEqual(await rowsOf(shop))
  })

  it('takes its links into the site with it', async () => {
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
      ...['http://net.test/shop/contact?from=menu', 'http://net.test/shop/'],
      ...['http://net.test/docs/guide', '/shop/x', '#', ''],
    ])
    expect((await cli.exported('links', 2)).items).toEqual(items)
    await cli.run('import', await cli.file(await text('links', 2)), '--site', 'brand.test')
    const moved = await cli.itemsOf('links', await cli.network.site(4))
    expect(moved.map(({ url }) => url).slice(0, 3)).toEqual([
      ...[
        'http://brand.test/contact?from=menu',
        'http://brand.test/',
        'http://net.test/docs/guide',
      ],
    ])
    // On the main site, another site's address is not one of its own.
    const main = await cli.file({ name: 'Main links', items: [items[0], items[2]] })
    await cli.run('import', main, '--site', '1')
    expect((await cli.exported('main-links', 1)).items).toEqual([items[0], items[2]])
  })
})

describe('a menu that is imported where it stands', () => {
  it('is left alone: its items keep their ids', async () => {
    const before = await cli.itemsOf('main-menu', shop)
    const file = await cli.file(await text('main-menu', 2))
    const { code, stdout } = await cli.run('import', file, '--site', '2', '--replace')
    expect([code, stdout]).toEqual([0, '"main-menu" is so already, with 8 items\n'])
    expect(await cli.itemsOf('main-menu', shop)).toEqual(before)
  })

  it('is left alone where a link is stored in other words than a file has for it', async () => {
    const items = [
      { url: '/', title: 'Shop' },
      { url: '/contact', title: 'Contact' },
    ]
    await cli.run('import', await cli.file({ name: 'Words', items }), '--site', '2')
    const made = await cli.itemsOf('words', shop)
    const stored = ['http://net.test/shop', 'https://NET.test/shop/contact']
    for (const [index, meta_value] of stored.entries()) {
      await cli.network.db
        .sql(shop.tables.postmeta)
        .where({ post_id: made[index]?.id, meta_key: '_menu_item_url' })
        .update({ meta_value })
    }
    const before = await cli.itemsOf('words', shop)
    expect(before.map(({ url }) => url)).toEqual(stored)
    const file = await cli.file(await text('words', 2))
    const { code, stdout } = await cli.run('import', file, '--site', '2')
    expect([code, stdout]).toEqual([0, '"words" is so already, with 2 items\n'])
    expect(await cli.itemsOf('words', shop)).toEqual(before)
    // The host's path is another address, though it reads the same.
    const ofHost = { name: 'Words', items: [items[0], { ...items[1], as_is: true }] }
    await cli.run('import', await cli.file(ofHost), '--site', '2', '--replace')
    expect((await cli.itemsOf('words', shop)).map(({ url }) => url)).toEqual([
      'http://net.test/shop/',
      '/contact',
    ])
  })

  it('is not replaced unless asked where only the order of its rows is another', async () => {
    const items = [{ url: '/a', title: 'A', children: [{ url: '/b', title: 'B' }] }, 'legal']
    const file = await cli.file({ name: 'Rows', items })
    await cli.run('import', file, '--site', '2')
    const [, child] = await cli.itemsOf('rows', shop)
    await cli.network.db.sql(shop.tables.posts).where({ ID: child?.id }).update({ menu_order: 9 })
    const before = await cli.itemsOf('rows', shop)
    const { code, stdout, stderr } = await cli.run('import', file, '--site', '2')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'The menu "rows" is there already and differs: in its rows only. Look with --dry-run, write with --replace.\n',
    )
    expect(await cli.itemsOf('rows', shop)).toEqual(before)
    expect((await cli.run('import', file, '--site', '2', '--replace')).stdout).toBe(
      '"rows" replaced: in its rows only\n',
    )
  })

  it('is not replaced unless asked', async () => {
    const wanted = { name: 'Hauptmenü', slug: 'hauptmenu', items: [{ page: 'uber-uns' }] }
    const file = await cli.file(wanted)
    const before = await cli.itemsOf('hauptmenu', shop)
    const { code, stdout, stderr } = await cli.run('import', file, '--site', '2')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'The menu "hauptmenu" is there already and differs: 5 lines less, 0 lines more. Look with --dry-run, write with --replace.\n',
    )
    expect(await cli.itemsOf('hauptmenu', shop)).toEqual(before)
  })

  it('shows on a dry run what would change, and writes nothing', async () => {
    const tree = await cli.exported('hauptmenu', 2)
    const changed = { ...tree, name: 'Menü', items: tree.items.slice(1) }
    changed.items[1].children[0].title = 'Other'
    const file = await cli.file(changed)
    const before = await cli.itemsOf('hauptmenu', shop)
    const { code, stdout } = await cli.run('import', file, '--site', '2', '--dry-run')
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => line.replace(/ {2}target=.*$/, ''))).toEqual([
      '- name Hauptmenü',
      '+ name Menü',
      '- page startseite',
      expect.stringMatching(/^ {2}url https:\/\/example\.com/),
      '-   url /relative/path as it is  "Relative"',
      '+   url /relative/path as it is  "Other"',
      '"hauptmenu" would be replaced with --replace: 3 lines less, 2 lines more',
      '',
    ])
    expect(await cli.itemsOf('hauptmenu', shop)).toEqual(before)
  })

  it('is not replaced either where only items would be lost that no file holds', async () => {
    const file = await cli.file(await text('footer', 2))
    const args = ['import', file, '--site', '2', '--allow-invalid']
    expect((await cli.run(...args)).code).toBe(1)
    const { stdout } = await cli.run(...args, '--dry-run')
    expect(stdout).toContain('- item 46 "Trashed page" (gone)\n')
    expect(await cli.itemsOf('footer', shop)).toHaveLength(7)
  })

  it('is replaced with its name when asked, and keeps its id and its places', async () => {
    const list = async () => (await cli.json(0, 'list', '--site', '2')).menus
    const old = (await list()).find(({ slug }: { slug: string }) => slug === 'hauptmenu')
    const file = await cli.file({ name: 'Menü', slug: 'hauptmenu', items: ['startseite'] })
    expect((await cli.run('import', file, '--site', '2', '--replace')).code).toBe(0)
    expect((await list()).find(({ id }: { id: number }) => id === old.id)).toEqual({
      ...old,
      name: 'Menü',
      items: 1,
    })
  })
})

describe('an import that the site lacks something for', () => {
  it('tells all of it at once, and writes nothing', async () => {
    const file = await cli.file(`name: Lacking
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
`)
    const { code, stdout, stderr } = await cli.run('import', file, '--site', '2')
    expect(code).toBe(1)
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^location top: Unknown location\./),
      expect.stringMatching(
        /^location header:xx: Unknown language\. The languages of this site: en, /,
      ),
      'line 8, item 0: This site has no page "nowhere".',
      'line 10, item 0.0: This site has no page "team". Similar: "about-us/team" (en).',
      'line 11, item 1: This site has no post "hello".',
      'line 12, item 2: This site has no post_tag "news".',
      expect.stringMatching(/^line 14, item 3: The page 20 \(private-page\) is not published/),
      expect.stringMatching(/^line 15, item 4: This address is empty/),
    ])
    expect(stderr).toBe(
      '8 problems, nothing was written; --allow-invalid leaves out what is not published\n',
    )
    expect(await cli.itemsOf('lacking', shop)).toEqual([])
    expect(await cli.json(1, 'import', file, '--site', '2')).toMatchObject({
      state: 'failed',
      result: 'refused',
      problems: expect.arrayContaining([{ line: 8, at: '0', message: expect.any(String) }]),
    })
  })

  it('leaves out what is not published when asked, each with its branch', async () => {
    const items = [{ page: 'private-page', children: ['legal'] }, 'legal']
    const file = await cli.file({ name: 'Partly', items })
    const { code, stdout } = await cli.run('import', file, '--site', '2', '--allow-invalid')
    expect(code).toBe(0)
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^item 0 is left out: /),
      expect.stringMatching(/^item 0\.0 is left out: /),
    ])
    expect((await cli.exported('partly', 2)).items).toEqual([{ page: 'legal' }])
  })
})
