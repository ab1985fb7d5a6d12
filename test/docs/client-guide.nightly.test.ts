import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { issueTokenFor } from '../support/api.ts'
import { installedPackage, run } from '../support/installed-package.ts'
import { useNetwork } from '../support/network.ts'
import { startServeProcesses } from '../support/serve-processes.ts'
import { use } from '../support/use.ts'

const GUIDE = resolve(import.meta.dirname, '../../docs/client.md')
const SCRIPTS = resolve(import.meta.dirname, '../../docs/scripts')
/** The project in which the scripts run: the package is installed there. */
const { project } = await installedPackage('packages/client')
const network = await useNetwork()
const service = await use(
  startServeProcesses(1, network.url, { TABLE_PREFIX: network.globals.basePrefix }),
)
const [url = ''] = service.urls
const token = await issueTokenFor(network, 'admin')
const client = createClient({ url, token })
const env = { WP_FRAMES_URL: url, WP_FRAMES_TOKEN: token }

/** Copies the scripts into the project, without their types: not every supported Node.js runs TypeScript. */
async function copyScripts(): Promise<void> {
  for (const name of readdirSync(SCRIPTS)) {
    const text = readFileSync(join(SCRIPTS, name), 'utf8')
    writeProjectFile(
      name.replace(/ts$/, 'mjs'),
      name.endsWith('.ts') ? (await transform(text, { loader: 'ts' })).code : text,
    )
  }
}

/** Runs a script as its user does, and returns what it prints. */
const runScript = (name: string, ...args: string[]): Promise<string> =>
  run(
    project,
    name.endsWith('.sh') ? 'sh' : process.execPath,
    [name.replace(/ts$/, 'mjs'), ...args],
    env,
  )

const createFrame = async (site_id: number, slug: string, html: string) =>
  (await client.createFrame({ site_id, body: { slug, html } })).frame
const markupOf = async (site_id: number, ref: string) =>
  (await client.getFrame({ site_id, ref })).frame.html
const slugsOf = async (site_id: number) =>
  (await client.listFrames({ site_id })).frames.map(({ slug }) => slug)
const itemsAt = async (site_id: number, location: string, lang: string) => {
  const data = await client.getData({ site_id, source: `menu.${location}`, lang })
  return 'menu' in data ? data.items : []
}
const writeProjectFile = (name: string, text: string) => writeFileSync(join(project, name), text)
await copyScripts()

describe('the guide', () => {
  const guide = readFileSync(GUIDE, 'utf8')

  it('names every script', () => {
    for (const name of readdirSync(SCRIPTS))
      expect(guide).toContain(name.endsWith('.ts') ? `[${name}](scripts/${name})` : `\`${name}\``)
  })
})

describe('a script', () => {
  const withoutArguments = ['broken-links.ts', 'pages-without-frame.ts', 'who-changed-what.ts']
  const scripts = readdirSync(SCRIPTS).filter((name) => !withoutArguments.includes(name))

  it.each(scripts)('says which arguments it needs: %s', async (name) => {
    await expect(runScript(name)).rejects.toThrow(
      `Usage: ${name.endsWith('.sh') ? 'sh' : 'node'} ${name} `,
    )
  })

  it('refuses arguments that it cannot understand', async () => {
    await expect(runScript('copy-menu.ts', 'shop', 'header', 'en')).rejects.toThrow('Usage: ')
    await expect(runScript('restore-site.ts', 'a.json', '--aply')).rejects.toThrow('Usage: ')
    await expect(runScript('unused-frames.ts', '2', '--remove')).rejects.toThrow('Usage: ')
    await expect(runScript('who-changed-what.ts', 'yesterday')).rejects.toThrow('Usage: ')
  })
})

describe('copy-menu.ts', () => {
  it('copies the menu to the other sites with the language', async () => {
    const item = { page: 'sample-page', title: 'Read', children: [{ url: '/x', title: 'X' }] }
    const { menu } = await client.createMenu({
      site_id: 2,
      body: { name: 'Shared', items: [item], location: 'footer_3', lang: 'en' },
    })
    expect(await runScript('copy-menu.ts', '2', 'footer_3', 'en')).toContain('brand.test: copied')
    const copied = [{ title: 'Read', type: 'post_type', children: [{ title: 'X' }] }]
    expect(await itemsAt(4, 'footer_3', 'en')).toMatchObject(copied)

    const more = { url: 'https://example.com/', title: 'More' }
    await client.createMenuItem({ site_id: 2, ref: String(menu.id), body: more })
    await runScript('copy-menu.ts', '2', 'footer_3', 'en')
    expect(await itemsAt(4, 'footer_3', 'en')).toMatchObject([...copied, { title: 'More' }])
    const { menus } = await client.listMenus({ site_id: 4 })
    expect(menus.filter(({ name }) => name === 'Shared')).toHaveLength(1)
  })

  it('says when no other site has the language', async () => {
    const body = { name: 'Arabic', location: 'footer_1', lang: 'ar' } as const
    await client.createMenu({ site_id: 2, body })
    expect(await runScript('copy-menu.ts', '2', 'footer_1', 'ar')).toBe(
      'No other live site has the language "ar".\n',
    )
  })

  it('keeps a menu of another location', async () => {
    const items = [{ url: '/from', title: 'From' }]
    const body = { name: 'Twice', items, location: 'footer_2', lang: 'en' } as const
    await client.createMenu({ site_id: 2, body })
    await client.createMenu({ site_id: 4, body: { ...body, items: [], location: 'footer_1' } })
    await expect(runScript('copy-menu.ts', '2', 'footer_2', 'en')).rejects.toThrow(
      'brand.test: Its menu "twice" has other locations.',
    )
    expect(await itemsAt(4, 'footer_1', 'en')).toEqual([])
  })
})

it.each([
  ['rename-frame.ts', 'first'],
  ['rename-frame.sh', 'second'],
])('rename-frame %s renames the frame on each site that has it', async (script, slug) => {
  for (const site_id of [2, 3]) {
    await createFrame(site_id, slug, '<p>x</p>')
    await createFrame(site_id, `${slug}-page`, `<!-- svc/frame {"name":"${slug}"} /-->`)
  }
  const printed = await runScript(script, slug, `${slug}-renamed`)
  expect(printed).toContain(`${slug}-page`)
  for (const site_id of [2, 3]) {
    expect(await slugsOf(site_id)).not.toContain(slug)
    expect(await markupOf(site_id, `${slug}-page`)).toContain(`"name":"${slug}-renamed"`)
  }
})

it('rename-frame.sh fails if it cannot read the sites, or rename a frame', async () => {
  const withoutAccess = { ...env, WP_FRAMES_TOKEN: 'op_unknown' }
  const refused = run(project, 'sh', ['rename-frame.sh', 'a', 'b'], withoutAccess)
  await expect(refused).rejects.toThrow('invalid_token')
  await createFrame(2, 'third', '<p>x</p>')
  await createFrame(2, 'third-taken', '<p>x</p>')
  const failed = runScript('rename-frame.sh', 'third', 'third-taken')
  await expect(failed).rejects.toThrow(/Site 2 failed: .*slug_taken/s)
})

it('pages-without-frame.ts lists published pages without a frame', async () => {
  await createFrame(3, 'lone', '<p>x</p>')
  const before = await runScript('pages-without-frame.ts')
  const address = /^\S+\/docs\/\?page_id=2 has no frame$/m
  expect(before).toMatch(address)
  await client.assignFrame({ site_id: 3, ref: 'lone', body: { page: 'sample-page' } })
  expect(await runScript('pages-without-frame.ts')).not.toMatch(address)
})

describe('swap-frame', () => {
  const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

  it('swap-frame.ts replaces the markup, and brings the former back', async () => {
    await createFrame(2, 'swapped', '<p>always</p>')
    writeProjectFile('sale.html', '<p>sale</p>')
    const ended = runScript('swap-frame.ts', '2', 'swapped', 'sale.html', soon(0), soon(8000))
    await expect.poll(() => markupOf(2, 'swapped'), { timeout: 20_000 }).toBe('<p>sale</p>')
    expect(await ended).toContain('has its former markup again')
    expect(await markupOf(2, 'swapped')).toBe('<p>always</p>')
  })

  it('swap-frame.ts keeps what another user has changed in between', async () => {
    await createFrame(2, 'swapped-changed', '<p>always</p>')
    writeProjectFile('other-sale.html', '<p>sale</p>')
    const args = ['2', 'swapped-changed', 'other-sale.html', soon(0), soon(8000)]
    const ended = runScript('swap-frame.ts', ...args)
    await expect.poll(() => markupOf(2, 'swapped-changed'), { timeout: 20_000 }).toContain('sale')
    const body = { html: '<p>changed</p>' }
    await client.replaceFrame({ site_id: 2, ref: 'swapped-changed', body })
    expect(await ended).toContain('so it stays')
    expect(await markupOf(2, 'swapped-changed')).toBe('<p>changed</p>')
  })

  it.each([
    ['midnight', '2001-01-02T00:00Z'],
    ['2001-01-01T00:00Z', 'midnight'],
    ['2001-01-02T00:00Z', '2001-01-01T00:00Z'],
  ])('swap-frame.ts refuses the times "%s" and "%s"', async (start, end) => {
    await createFrame(2, 'not-swapped', '<p>always</p>').catch(() => undefined)
    writeProjectFile('refused.html', '<p>sale</p>')
    const swap = runScript('swap-frame.ts', '2', 'not-swapped', 'refused.html', start, end)
    await expect(swap).rejects.toThrow('are not a start and an end')
    expect(await markupOf(2, 'not-swapped')).toBe('<p>always</p>')
  })

  it('swap-frame.sh replaces the markup by that of a file', async () => {
    await createFrame(2, 'swapped-by-curl', '<p>always</p>')
    const html = '<p class="a">\n\t\\ "é" &amp; \\n</p>\n'
    writeProjectFile('curl-sale.html', html)
    expect(await runScript('swap-frame.sh', '2', 'swapped-by-curl', 'curl-sale.html')).toContain(
      '"updated":true',
    )
    expect(await markupOf(2, 'swapped-by-curl')).toBe(html)
  })
})

describe('backup-site.ts', () => {
  it('writes a file from which restore-site.ts restores the site', async () => {
    const site_id = 4
    await createFrame(site_id, 'kept-page', '<!-- svc/frame {"name":"kept-part"} /-->')
    await createFrame(site_id, 'kept-part', '<p>kept</p>')
    const page = 'sample-page'
    await client.assignFrame({ site_id, ref: 'kept-page', body: { page } })
    const { tables } = await network.site(site_id)
    const draft = { post_type: 'page', post_status: 'draft', post_name: '', post_title: 'Draft' }
    const defaults = { post_excerpt: '', to_ping: '', pinged: '', post_content_filtered: '' }
    const [id] = await network.db
      .sql(tables.posts)
      .insert({ ...draft, ...defaults, post_content: '' })
    await client.assignFrame({ site_id, ref: 'kept-page', body: { page: id ?? 0 } })
    const before = await itemsAt(site_id, 'header', 'en')
    const locations = async () =>
      (await client.listMenus({ site_id })).menus.map(({ slug, assigned }) => ({ slug, assigned }))
    const assigned = await locations()
    expect(await runScript('backup-site.ts', '4', 'brand.json')).toContain(
      `Not in the backup: brand.test: the frame of page ${id} is left out`,
    )

    expect(await runScript('restore-site.ts', 'brand.json')).toBe('Site 4: planned. \n')

    await client.deleteFrame({ site_id, ref: 'kept-page' })
    await client.replaceFrame({ site_id, ref: 'kept-part', body: { html: '<i></i>' } })
    await client.deleteMenu({ site_id, ref: '~header', lang: 'en' })
    const planned = await runScript('restore-site.ts', 'brand.json')
    expect(planned).toContain('frame kept-part: replaced')
    expect(await markupOf(site_id, 'kept-part')).toBe('<i></i>')

    expect(await runScript('restore-site.ts', 'brand.json', '--apply')).toContain('as in the file')
    expect(await locations()).toEqual(assigned)
    expect(await markupOf(site_id, 'kept-part')).toBe('<p>kept</p>')
    const { pages } = await client.listPages({ site_id, search: page })
    expect(pages[0]?.frame?.slug).toBe('kept-page')
    const after = await itemsAt(site_id, 'header', 'en')
    const shown = ({ title, url, page }: (typeof after)[number]) => ({ title, url, page })
    expect(after.map(shown)).toEqual(before.map(shown))
  })

  it('restore-site.ts fails if a site cannot get what the file says', async () => {
    const pages = [{ path: 'no-such-page', frame: 'kept-part' }]
    const sites = [{ match: { id: 4 }, bundles: ['a'] }]
    const description = { version: 1, name: 'blocked', sites, bundles: { a: { pages } } }
    writeProjectFile('blocked.json', JSON.stringify(description))
    await expect(runScript('restore-site.ts', 'blocked.json', '--apply')).rejects.toThrow(
      'Not all sites are planned: {"blocked":1}',
    )
  })

  it('restore-site.sh brings the frames of a site back to a time', async () => {
    const { id } = await createFrame(3, 'restored', '<p>1</p>')
    const { entries } = await client.listHistory({ site_id: 3, kind: 'frame', ref: id })
    const at = `${entries[0]?.at.replace(' ', 'T')}Z`
    await client.replaceFrame({ site_id: 3, ref: 'restored', body: { html: '<p>2</p>' } })
    expect(await runScript('restore-site.sh', '3', at)).toContain('"restored":[{')
    expect(await markupOf(3, 'restored')).toBe('<p>1</p>')
  })
})

it('broken-links.ts lists items whose page visitors cannot see', async () => {
  const printed = await runScript('broken-links.ts')
  expect(printed).toMatch(/net\.test\/shop, menu "Footer", item "[^"]+": .*\./)
  const lines = printed.trim().split('\n').length
  const { posts } = (await network.site(3)).tables
  const items = [{ page: 'sample-page' }]
  await client.createMenu({ site_id: 3, body: { name: 'Soon broken', items } })
  expect((await runScript('broken-links.ts')).trim().split('\n')).toHaveLength(lines)
  await network.db.sql(posts).where({ post_name: 'sample-page' }).update({ post_status: 'draft' })
  expect(await runScript('broken-links.ts')).toContain('net.test/docs, menu "Soon broken"')
  await network.db.sql(posts).where({ post_name: 'sample-page' }).update({ post_status: 'publish' })
})

it.each(['who-changed-what.ts', 'who-changed-what.sh'])(
  'who-changed-what %s lists writes',
  async (script) => {
    const slug = script.replaceAll('.', '-')
    await createFrame(2, slug, '<p>x</p>')
    const printed = await runScript(script, new Date().toISOString().slice(0, 10))
    expect(printed).toContain(slug)
    expect(printed).toContain('created')
    expect(await runScript(script, '2999-01-01')).not.toContain(slug)
  },
)

describe('roll-out.ts', () => {
  const description = (html: string, ids: number[]) =>
    JSON.stringify({
      version: 1,
      name: 'rolled',
      sites: [{ match: { id: ids }, bundles: ['base'] }],
      bundles: { base: { frames: [{ slug: 'rolled-out', html }] } },
    })

  it('changes the canary first, and then the other sites', async () => {
    writeProjectFile('rolled.json', description('<p>new</p>', [2, 3, 4]))
    const printed = await runScript('roll-out.ts', 'rolled.json', '3')
    expect(printed).toContain('Canary: 1 sites are as described.')
    expect(printed).toContain('3 sites are as described.')
    for (const site_id of [2, 3, 4]) expect(await markupOf(site_id, 'rolled-out')).toContain('new')
  })

  it('changes no other site if the canary fails', async () => {
    const html = '<!-- svc/frame {"name":"a","ref":"b"} /-->'
    writeProjectFile('broken.json', description(html, [2, 3, 4]))
    await expect(runScript('roll-out.ts', 'broken.json', '3')).rejects.toThrow()
    for (const site_id of [2, 4]) expect(await markupOf(site_id, 'rolled-out')).not.toBe(html)
  })
})

describe('the canary of roll-out.ts', () => {
  const frame = (slug: string) => ({ frames: [{ slug, html: '<p>x</p>' }] })
  const description = {
    version: 1,
    name: 'selected',
    sites: [
      { match: { id: 2 }, bundles: ['shop'] },
      { match: { id: [3, 4] }, bundles: ['docs'] },
      { match: { address: '*' }, bundles: ['all'] },
    ],
    bundles: { shop: frame('of-shop'), docs: frame('of-docs'), all: frame('of-all') },
  }

  it('gets only what the description says of it', async () => {
    writeProjectFile('selected.json', JSON.stringify(description))
    await runScript('roll-out.ts', 'selected.json', '3')
    expect(await slugsOf(3)).toEqual(expect.arrayContaining(['of-all', 'of-docs']))
    expect(await slugsOf(3)).not.toContain('of-shop')
    expect(await slugsOf(2)).not.toContain('of-docs')
  })

  it.each(['5', '99'])('is refused if it is not in the description: %s', async (canary) => {
    const sites = description.sites.slice(0, canary === '5' ? 2 : 3)
    writeProjectFile(`canary-${canary}.json`, JSON.stringify({ ...description, sites }))
    await expect(runScript('roll-out.ts', `canary-${canary}.json`, canary)).rejects.toThrow(
      canary === '5' ? 'contains the site 5' : 'Not all sites were changed: {}',
    )
    expect(await slugsOf(5)).not.toContain('of-shop')
  })
})

it('unused-frames.ts deletes only frames that no page shows', async () => {
  await createFrame(1, 'used-page', '<!-- svc/frame {"name":"used-part"} /-->')
  await createFrame(1, 'used-part', '<p>x</p>')
  await createFrame(1, 'unused-page', '<!-- svc/frame {"name":"unused-part"} /-->')
  await createFrame(1, 'unused-part', '<p>x</p>')
  await client.assignFrame({ site_id: 1, ref: 'used-page', body: { page: 'sample-page' } })
  const listed = (await runScript('unused-frames.ts', '1')).trim().split('\n')
  expect(listed).toEqual(expect.arrayContaining(['unused-page', 'unused-part']))
  expect(listed).not.toContain('used-part')
  const printed = await runScript('unused-frames.ts', '1', '--delete')
  expect(await slugsOf(1)).toEqual(['used-page', 'used-part'])
  const [, request_id = ''] = /--request (\S+)/.exec(printed) ?? []
  await client.restoreSite({ site_id: 1, body: { request_id } })
  expect(await slugsOf(1)).toEqual(expect.arrayContaining(listed))
})

it('replace-text.ts replaces the text on all sites', async () => {
  for (const site_id of [2, 3]) await createFrame(site_id, 'phone', '<p>0800 1234 0800 1234</p>')
  expect(await runScript('replace-text.ts', '0800 1234', '0800 $&5678')).toContain('shop: phone')
  for (const site_id of [2, 3]) {
    expect(await markupOf(site_id, 'phone')).toBe('<p>0800 $&5678 0800 $&5678</p>')
  }
})
