import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { bakedOption } from '../../../src/content/frames/option-names.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { sha256, useFramesCli } from '../../support/frames-cli.ts'

const cli = await useFramesCli()
beforeEach(() => cli.clear())

const [TEAM, LEGAL] = [10, 13]

it('frames list lists the frames of a site by slug', async () => {
  const header = await cli.put('header', '<header>')
  const article = await cli.put('article', 'é')
  const { code, stdout, stderr } = await cli.run('list', '--site', 'net.test/shop')
  expect([code, stderr]).toEqual([0, ''])
  const [heading, ...lines] = stdout.trimEnd().split('\n')
  expect(heading).toMatch(/^slug +id +bytes +pages +shown_on +updated_at_gmt +updated_by$/)
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^article +${article} +2 +0 +0 +2026-01-02 03:04:05 +alice$`)),
    expect.stringMatching(new RegExp(`^header +${header} +8 +0 `)),
    '2 frames',
  ])
})

it('frames list shows no author of a frame that a command wrote without --user', async () => {
  await cli.put('header', '<header>')
  expect((await cli.run('rename', 'header', 'top', '--site', '2')).code).toBe(0)
  expect((await cli.run('list', '--site', '2')).stdout).toMatch(/^top .* -$/m)
  const csv = await cli.run('list', '--site', '2', '--format', 'csv', '--fields', 'updated_by')
  expect(csv.stdout).toBe('updated_by\n0\n')
})

it('frames list --format prints one list for all sites, and what failed on standard error', async () => {
  const id = await cli.put('header', 'x')
  const { db, site } = cli.network
  const { options } = (await site(3)).tables
  const row = { option_name: 'svc_frames', option_value: 'a:1:{broken', autoload: 'off' }
  await db.sql(options).insert(row)
  const list = ['list', '--network', '--fields', 'site_id,slug,pages']
  const csv = await cli.run(...list, '--format', 'csv')
  const json = await cli.run(...list, '--json')
  await db.sql(options).where({ option_name: 'svc_frames' }).delete()
  expect([csv.code, csv.stdout]).toEqual([1, 'site_id,slug,pages\n2,header,0\n'])
  expect(csv.stderr).toMatch(/^net\.test\/docs: .+\n1 of 4 sites failed\.\n$/)
  expect(JSON.parse(json.stdout)).toEqual([{ site_id: 2, slug: 'header', pages: null }])
  const ids = await cli.run('list', '--site', '2', '--format', 'ids')
  expect(ids.stdout).toBe(`${id}\n`)
  const refused = await cli.run('list', '--network', '--format', 'ids')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('needs --site')])
})

describe('frames show', () => {
  it('prints the markup byte for byte', async () => {
    const html = '\u{feff}<p>\r\n\0\\ "é" €</p>'
    const id = await cli.put('odd', html)
    for (const ref of ['odd', id]) {
      const { code, stdout } = await cli.run('show', ref, '--site', '2')
      expect([code, stdout]).toEqual([0, html])
    }
    const { frame: shown } = await cli.json(0, 'show', 'odd', '--site', '2')
    expect(shown).toMatchObject({ id, html, sha256: sha256(html), referenced_by: [], pages: [] })
  })

  it('rejects an unknown frame, and requires one site', async () => {
    const { code, stdout, stderr } = await cli.run('show', 'nothing', '--site', '2')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('No frame has the id or slug "nothing"')
    expect((await cli.run('show', 'nothing')).code).toBe(2)
    expect((await cli.run('show', 'nothing', '--network')).code).toBe(2)
  })
})

describe('frames bake', () => {
  it('bakes all frames, and nothing on the second run', async () => {
    const page = await cli.put('page', '<!-- svc/frame {"name":"header"} /--><main></main>')
    await cli.put('header', '<b>shop</b>')
    await cli.fixture.assign('page', [TEAM])
    const first = await cli.json(0, 'bake', '--site', '2')
    expect(first).toMatchObject({
      outcome: '2 frames baked',
      frames: [
        { frame: { slug: 'header' }, bake: { response: { baked: true } } },
        { frame: { slug: 'page' }, bake: { response: { baked: true } } },
      ],
    })
    expect(await readOption(cli.network.db, cli.shop, bakedOption(page))).toContain('<b>shop</b>')
    const copy = join(cli.staticDir, 'net.test/shop/about-us/team/index.html')
    expect(await readFile(copy, 'utf8')).toBe('<b>shop</b><main></main>')
    expect(await cli.json(0, 'bake', '--site', '2')).toMatchObject({
      outcome: '0 frames baked',
    })
  })

  it('bakes the named frames, and prints warnings', async () => {
    await cli.put('one', '<!-- svc/frame {"name":"nobody"} /-->')
    await cli.put('two', 'x')
    const { code, stdout } = await cli.run('bake', 'one', '--site', '2')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^one: .*nobody/)
    expect(stdout).toMatch(/\n1 frame baked\n$/)
    const { code: failed, stderr } = await cli.run('bake', 'two', 'three', '--site', '2')
    expect([failed, stderr]).toEqual([
      1,
      expect.stringContaining('No frame has the id or slug "three"'),
    ])
  })

  it('removes the static copy of a page that was unpublished in wp-admin', async () => {
    await cli.put('page', 'x')
    await cli.fixture.assign('page', [LEGAL])
    await cli.run('bake', '--site', '2')
    const copy = join(cli.staticDir, 'net.test/shop/legal/index.html')
    expect(await readFile(copy, 'utf8')).toBe('x')
    const posts = () => cli.network.db.sql(cli.shop.tables.posts).where({ ID: LEGAL })
    await posts().update({ post_status: 'draft' })
    await cli.run('bake', '--pages', '--site', '2')
    await expect(readFile(copy)).rejects.toThrow('ENOENT')
    await posts().update({ post_status: 'publish' })
  })
})
