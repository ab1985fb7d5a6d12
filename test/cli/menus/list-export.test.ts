import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import { useMenusCli } from '../../support/menus-cli.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'

const cli = await useMenusCli()

it('menus list lists the menus of a site by name, with their locations', async () => {
  const { code, stdout, stderr } = await cli.run('list', '--site', '2')
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^id +name +slug +items +assigned$/)
  expect(lines[2]).toMatch(/^26 +Footer +footer +7 +footer_1:en,footer_1:fr$/)
  expect(lines[7]).toMatch(/^28 +Основное меню +основное-меню +0$/)
  expect(lines[8]).toBe('7 menus')
})

describe('menus export', () => {
  it('prints only a tree with page paths', async () => {
    const { code, stdout, stderr } = await cli.run('export', 'main-menu', '--site', '2')
    expect([code, stderr]).toEqual([0, ''])
    const emoji = inject('charset') === 'utf8mb3' ? '????' : '😀'
    expect(stdout).toBe(`name: Main menu
slug: main-menu
locations:
  - location: header
    lang: en
  - location: primary
    theme: other
items:
  - page: home
  - page: about-us
    children:
      - page: about-us/team
      - page: about-us/jobs-careers-its-us
        title: Careers
  - url: https://example.com/?a=1&b=2#top
    title: Ext "q" & <b>x</b> it's \\ back é ${emoji}
    target: _blank
    classes: one two
    xfn: me nofollow
    attr_title: Tip
    description: Desc
    children:
      - url: /relative/path
        as_is: true
        title: Relative
      - url: "#anchor"
        title: Anchor
  - term: uncategorized
    taxonomy: category
`)
  })

  it('prints the same tree as JSON', async () => {
    const tree = parse((await cli.run('export', '~header', '--site', 'brand.test')).stdout)
    for (const format of [['--json'], ['--format', 'json']]) {
      const { stdout } = await cli.run('export', '~header', '--site', 'brand.test', ...format)
      expect(JSON.parse(stdout)).toEqual(tree)
    }
    expect(tree).toMatchObject({ slug: 'brand-en', items: [{ page: 'brand' }, { page: 'about' }] })
  })

  it('reports items that cannot be exported', async () => {
    const { code, stderr } = await cli.run('export', 'footer', '--site', '2')
    expect(code).toBe(0)
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^footer: left out "Trashed page" \(item 46\): .* in the trash\.$/),
      expect.stringMatching(/^footer: left out "Draft page" \(item 47\): .* no path/),
    ])
  })

  it('writes the menus of all sites to a folder', async () => {
    const folder = join(cli.folder, 'all')
    const { code, stdout } = await cli.run('export', '--network', '--folder', folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^2 +net\.test\/shop +7 menus in .*site-2$/m)
    expect(await readdir(folder)).toEqual(['site-1', 'site-2', 'site-3', 'site-4'])
    const files = await readdir(join(folder, 'site-2'))
    expect(files).toHaveLength(7)
    expect(files).toContain('основное-меню.yaml')
    const text = await readFile(join(folder, 'site-2', 'main-menu.yaml'), 'utf8')
    expect(text).toBe((await cli.run('export', 'main-menu', '--site', '2')).stdout)
  })

  it('writes the named menus as JSON, and prints their files as JSON', async () => {
    const folder = join(cli.folder, 'some')
    const options = ['--site', '2', '--folder', folder, '--format', 'json']
    const report = await cli.json(0, 'export', 'footer', '26', 'deep', ...options)
    expect(await readdir(folder)).toEqual(['deep.json', 'footer.json'])
    const leftOut = { left_out: [{ id: 46 }, { id: 47 }] }
    expect(report).toMatchObject({
      folder,
      menus: [
        { id: 26, slug: 'footer', items: 5, file: join(folder, 'footer.json'), ...leftOut },
        { id: 29, slug: 'deep', items: 12, left_out: [] },
      ],
    })
  })

  it('writes a file for each menu, whatever their slugs are', async () => {
    const { network } = cli
    const content = createSiteFixture(network.db, await network.site(3))
    const unnamable = await content.menu({ name: 'x'.repeat(90) })
    await content.menu({ name: `Menu ${unnamable}` })
    const folder = join(cli.folder, 'each')
    const { menus } = await cli.json(0, 'export', '--site', '3', '--folder', folder)
    expect(await readdir(folder)).toHaveLength(menus.length)
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining([`menu-${unnamable}.yaml`, `menu.${unnamable}.yaml`]),
    )
  })

  it('fails if the folder is a file', async () => {
    const file = join(cli.folder, 'file')
    await writeFile(file, '')
    const { code, stderr } = await cli.run('export', 'footer', '--site', '2', '--folder', file)
    expect([code, stderr]).toEqual([1, `Cannot mkdir ${file} (EEXIST).\n`])
  })

  it.each([
    [[]],
    [['main-menu']],
    [['--site', '2']],
    [['main-menu', 'footer', '--site', '2']],
    [['main-menu', '--network']],
    [['main-menu', '--site', '2', '--format', 'toml']],
    [['--site', '2', '--folder', '']],
  ])('is wrong usage: %j', async (args) => {
    const { code, stdout, stderr } = await cli.run('export', ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: /)
  })
})
