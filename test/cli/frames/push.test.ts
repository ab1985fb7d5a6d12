import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindPage } from '../../../src/frames/frame-pages.ts'
import { readFrames } from '../../../src/frames/read-frame.ts'
import { readRegistry } from '../../../src/frames/registry.ts'
import { renameFrame } from '../../../src/frames/rename-frame.ts'
import { runCommand } from '../../support/cli.ts'
import { type FramesCli, sha256, startFramesCli } from '../../support/frames-cli.ts'

let cli: FramesCli
beforeAll(async () => {
  cli = await startFramesCli()
})
beforeEach(async () => {
  await cli.clear()
  await rm(cli.folder, { recursive: true, force: true })
})
afterAll(() => cli.stop())

const pull = () => cli.json(0, 'pull', cli.folder, '--site', '2')
const push = (...args: string[]) => cli.run('push', cli.folder, '--site', '2', ...args)
const pushJson = (code: number, ...args: string[]) =>
  cli.json(code, 'push', cli.folder, '--site', '2', ...args)
const at = (name: string) => join(cli.folder, name)
const read = (name: string) => readFile(at(name), 'utf8')
const write = (name: string, text: string | Buffer) => writeFile(at(name), text)
const manifest = async (): Promise<Record<string, string>> => {
  const { frames } = JSON.parse(await read('frames.json'))
  return Object.fromEntries(
    frames.map(({ file, sha256: hash }: { file: string; sha256: string }) => [file, hash]),
  )
}
const embed = (slug: string) => `<!-- svc/frame {"name":"${slug}"} /-->`

/** Creates these frames on the shop and pulls them. */
async function pulled(frames: Readonly<Record<string, string>>): Promise<void> {
  for (const [slug, html] of Object.entries(frames)) await cli.put(slug, html)
  await pull()
}

describe('frames push', () => {
  it('updates edited frames, creates new ones, and updates the manifest', async () => {
    await pulled({ header: 'h', footer: 'f' })
    const odd = '\u{feff}<p>\r\n\0\\ é €</p>'
    await write('header.html', odd)
    await write('promo.html', '<b>')
    const { code, stdout, stderr } = await push('--user', 'alice')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe('updated  header\ncreated  promo\n1 created, 1 updated\n')
    expect(await cli.stored()).toEqual({ footer: 'f', header: odd, promo: '<b>' })
    expect(await manifest()).toEqual({
      'footer.html': sha256('f'),
      'header.html': sha256(odd),
      'promo.html': sha256('<b>'),
    })
    const { db } = cli.network
    const frames = await readFrames(db, cli.shop, (await readRegistry(db, cli.shop)).all())
    const authors = frames.map(({ record }) => [record.slug, record.updated_by])
    expect(Object.fromEntries(authors)).toEqual({ footer: 2, header: 2, promo: 2 })
    expect((await push()).stdout).toBe('nothing to send\n')
  })

  it('records no author, or the named one', async () => {
    await pulled({ header: 'h' })
    await write('header.html', 'hh')
    await push()
    expect((await cli.json(0, 'show', 'header', '--site', '2')).updated_by).toBe(0)
    expect((await push('--user', 'nobody')).stderr).toContain('"nobody"')
  })

  it('bakes the sent frames and their embedders, and prints warnings', async () => {
    await pulled({ page: embed('header'), header: 'h' })
    const { db } = cli.network
    const legal = (await db.sql(cli.shop.tables.posts).where({ post_name: 'legal' }).first()).ID
    const binding = { ref: 'page', pageId: legal, clear: false, bake: false }
    await db.write({}, (tx) => bindPage(tx, cli.shop, binding))
    await write('header.html', `<h1>${embed('nothing')}`)
    expect(await pushJson(0)).toMatchObject({
      dry_run: false,
      frames: [
        {
          slug: 'header',
          did: 'update',
          bake: 'baked',
          rebaked: 1,
          pages: 1,
          warnings: ['header: frame "nothing" does not exist; the insert prints nothing.'],
          failures: [],
        },
      ],
    })
    const copy = join(cli.staticDir, 'net.test/shop/legal/index.html')
    expect(await readFile(copy, 'utf8')).toBe('<h1>')
    await write('header.html', '<h2>')
    await write('footer.html', embed('nobody'))
    expect((await pushJson(0, '--no-bake')).frames).toMatchObject([
      { slug: 'header', bake: 'skipped', rebaked: 0, warnings: [] },
      { slug: 'footer', warnings: ['it embeds "nobody", which does not exist'] },
    ])
    expect(await readFile(copy, 'utf8')).toBe('<h1>')
  })

  it('creates embedded frames before their embedders', async () => {
    await mkdir(cli.folder)
    await write('a.html', embed('b'))
    await write('b.html', embed('c'))
    await write('c.html', 'c')
    await write('d.html', 'd')
    const { frames } = await pushJson(0)
    expect(frames.map(({ slug }: { slug: string }) => slug)).toEqual(['c', 'b', 'a', 'd'])
    expect(frames.flatMap(({ warnings }: { warnings: string[] }) => warnings)).toEqual([])
  })

  it('sends nothing if a frame changed on the site since the pull', async () => {
    await pulled({ header: 'h', footer: 'f' })
    await cli.put('header', 'theirs')
    await write('header.html', 'mine')
    await write('footer.html', 'mine')
    const { code, stdout, stderr } = await push()
    expect([code, stderr]).toEqual([1, 'nothing was sent: 1 conflict\n'])
    expect(stdout).toMatch(/^conflict +header\.html +it was changed on the site .* by user 2 at/)
    expect(stdout).toContain('push --force')
    expect(await cli.stored()).toEqual({ footer: 'f', header: 'theirs' })
    expect(await push('--force')).toMatchObject({ code: 0 })
    expect(await cli.stored()).toEqual({ footer: 'mine', header: 'mine' })
  })

  it('accepts a frame that already has the same contents on the site', async () => {
    await pulled({ header: 'h' })
    await cli.put('header', 'both')
    await cli.put('promo', 'p')
    await write('header.html', 'both')
    await write('promo.html', 'p')
    expect((await push()).stdout).toBe('nothing to send\n')
    expect(await manifest()).toEqual({ 'header.html': sha256('both'), 'promo.html': sha256('p') })
  })

  it('rejects a new file for a frame that was never pulled, unless forced', async () => {
    await pulled({ header: 'h' })
    await cli.put('promo', 'theirs')
    await write('promo.html', 'mine')
    expect(await pushJson(1)).toMatchObject({
      state: 'failed',
      problems: [{ slug: 'promo', kind: 'conflict', message: expect.stringContaining('never') }],
    })
    await push('--force')
    expect(await cli.stored()).toEqual({ header: 'h', promo: 'mine' })
  })

  it('rejects an edit of a frame that was deleted on the site, or creates it again with --force', async () => {
    await pulled({ header: 'h' })
    await cli.remove('header')
    expect((await push()).stdout).toBe('nothing to send\n')
    await write('header.html', 'mine')
    expect((await pushJson(1)).problems).toMatchObject([
      { kind: 'conflict', message: expect.stringContaining('deleted on the site') },
    ])
    await push('--force')
    expect(await cli.stored()).toEqual({ header: 'mine' })
    expect((await push()).stdout).toBe('nothing to send\n')
  })

  it('deletes frames only with --delete', async () => {
    await pulled({ header: 'h', footer: 'f', gone: 'g', page: embed('header') })
    await cli.remove('gone')
    for (const name of ['header', 'footer', 'gone']) await rm(at(`${name}.html`))
    expect((await push()).stdout).toBe(
      'nothing to send; 2 frames without a file kept (use --delete to delete): footer, header\n',
    )
    expect(Object.keys(await cli.stored())).toEqual(['footer', 'header', 'page'])
    await cli.put('footer', 'theirs')
    expect((await pushJson(1, '--delete')).problems).toMatchObject([
      { slug: 'footer', kind: 'conflict' },
    ])
    const { stdout } = await push('--delete', '--force')
    expect(stdout).toMatch(
      /deleted +header\n +frames that embed it now print nothing in its position: page\n/,
    )
    expect(await cli.stored()).toEqual({ page: embed('header') })
    expect(Object.keys(await manifest())).toEqual(['page.html'])
  })
})

describe('an unreachable executor', () => {
  it('fails the push, but the sent frames remain', async () => {
    await pulled({ header: 'h', footer: 'f' })
    for (const name of ['header.html', 'footer.html']) await write(name, 'mine')
    const { code, stdout, stderr } = await runCommand(
      ['frames', 'push', cli.folder, '--site', '2'],
      { ...cli.env, EXECUTOR_URL: 'http://127.0.0.1:1', EXECUTOR_KEY: 'k'.repeat(32) },
    )
    expect([code, stderr]).toEqual([1, '2 updated; 1 failure while baking\n'])
    expect(stdout).toMatch(/^updated +\w+\n +The executor is unreachable.*\nupdated +\w+\n$/)
    expect(await cli.stored()).toEqual({ footer: 'mine', header: 'mine' })
    expect((await push()).stdout).toBe('nothing to send\n')
  })
})

describe('a renamed file', () => {
  it('renames its frame on the site, and references in the folder', async () => {
    await pulled({ old: `x${embed('old')}`, page: embed('old'), other: 'o' })
    await rename(at('old.html'), at('new.html'))
    await write('other.html', `edited ${embed('old')}`)
    const { code, stdout } = await push()
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'renamed  new from old, and in 1 embedder',
        '         new: "new" embeds itself; the inner one prints nothing.',
        'updated  other',
        '         new: "new" embeds itself; the inner one prints nothing.',
        '1 updated, 1 renamed',
        '',
      ].join('\n'),
    )
    const after = { new: `x${embed('new')}`, page: embed('new'), other: `edited ${embed('new')}` }
    expect(await cli.stored()).toEqual(after)
    for (const [slug, html] of Object.entries(after)) expect(await read(`${slug}.html`)).toBe(html)
    expect((await push()).stdout).toBe('nothing to send\n')
    expect((await pull()).frames).toMatchObject([
      { did: 'unchanged' },
      { did: 'unchanged' },
      { did: 'unchanged' },
    ])
  })

  it('is not detected if the match is ambiguous', async () => {
    await pulled({ one: 'same', two: 'same' })
    await rename(at('one.html'), at('three.html'))
    await rm(at('two.html'))
    await push()
    expect(await cli.stored()).toEqual({ one: 'same', two: 'same', three: 'same' })
  })

  it('is rejected if the frame was renamed or changed on the site', async () => {
    await pulled({ old: 'x', older: 'y' })
    await rename(at('old.html'), at('new.html'))
    await rename(at('older.html'), at('newer.html'))
    const { db } = cli.network
    const other = { slug: 'theirs', userId: 2, now: '2026-01-02 03:04:05', bake: false }
    await db.write({}, (tx) => renameFrame(tx, cli.shop, 'old', other))
    await cli.put('older', 'yy')
    expect((await pushJson(1)).problems).toMatchObject([
      { slug: 'new', message: expect.stringContaining('"theirs"') },
      { slug: 'newer', message: expect.stringContaining('changed on the site') },
    ])
    await push('--force')
    expect(await cli.stored()).toEqual({ new: 'x', newer: 'y' })
  })

  it('may differ only in case', async () => {
    await pulled({ header: 'h' })
    await rename(at('header.html'), at('Header.html'))
    expect((await push()).stdout).toBe('nothing to send\n')
    await write('Header.html', 'hh')
    await push()
    expect(await cli.stored()).toEqual({ header: 'hh' })
    expect(await readdir(cli.folder)).toContain('Header.html')
  })
})

describe('invalid files', () => {
  it('are all reported before anything is written', async () => {
    await pulled({ header: 'h', '1': '1' })
    await write('header.html', 'hh')
    await write('no slug.html', 'x')
    await write('bytes.html', Buffer.from([0x3c, 0xff]))
    await write('Twin.html', 'x')
    await write('twin.html', 'x')
    const { problems } = await pushJson(1)
    expect(problems.map(({ file, message }: Record<string, string>) => [file, message])).toEqual([
      ['bytes.html', 'the file is not valid UTF-8'],
      ['no slug.html', expect.stringContaining('is not a valid slug')],
      ['twin.html', expect.stringContaining('Twin.html has the same slug')],
    ])
    for (const name of ['no slug', 'bytes', 'Twin', 'twin']) await rm(at(`${name}.html`))
    await write('large.html', 'x'.repeat(2 * 1024 * 1024 + 1))
    await write('torn.html', '<!-- svc/frame {"name":"header","id":"large"} /-->')
    const refused = await pushJson(1)
    expect(refused.problems).toMatchObject([
      { slug: 'large', kind: 'invalid', message: expect.stringContaining('2097152') },
      { slug: 'torn', kind: 'invalid', message: expect.stringContaining('different frames') },
    ])
    expect((await cli.stored()).header).toBe('h')
  })

  it('are ignored if they belong to other programs', async () => {
    await pulled({ header: 'h' })
    for (const name of ['.hidden.html', 'notes.txt', 'header.html~']) await write(name, 'x')
    expect((await push()).stdout).toBe('nothing to send\n')
  })
})

describe('push --dry-run', () => {
  it('shows a diff and writes nothing', async () => {
    await pulled({ header: 'one\ntwo\r\nthree', old: 'x', page: embed('old'), gone: 'g\n' })
    const before = await read('frames.json')
    await write('header.html', 'one\n2\u001b[31m\r\nthree')
    await write('promo.html', 'p\n')
    await rename(at('old.html'), at('new.html'))
    await rm(at('gone.html'))
    const { code, stdout } = await push('--dry-run', '--delete')
    expect(code).toBe(0)
    expect(stdout).toBe(
      `rename   new from old, and in 1 embedder
update   header
--- a/header.html
+++ b/header.html
@@ -1,3 +1,3 @@
 one
-two^M
+2^[[31m^M
 three
\\ No newline at end of file
create   promo
--- /dev/null
+++ b/promo.html
@@ -0,0 +1,1 @@
+p
delete   gone
--- a/gone.html
+++ /dev/null
@@ -1,1 +0,0 @@
-g
dry run: 1 to create, 1 to update, 1 to rename, 1 to delete
`,
    )
    expect(Object.keys(await cli.stored())).toEqual(['gone', 'header', 'old', 'page'])
    expect(await read('frames.json')).toBe(before)
    expect(await pushJson(0, '--dry-run')).toMatchObject({
      dry_run: true,
      frames: [
        { did: 'rename', from: 'old' },
        { did: 'update' },
        { did: 'create', id: null, diff: expect.stringContaining('+p') },
      ],
      kept: [{ slug: 'gone' }],
    })
  })
})

describe('the target of a push', () => {
  it('must be the site of the manifest', async () => {
    expect((await push()).stderr).toContain('There is no folder')
    await pulled({ header: 'h' })
    const { code, stderr } = await cli.run('push', cli.folder, '--site', '3')
    expect([code, stderr]).toEqual([1, expect.stringContaining('not of site 3')])
  })

  it('may be all sites of the network', async () => {
    await cli.put('header', 'h')
    await cli.run('pull', cli.folder, '--network')
    await write('site-2/header.html', 'hh')
    await mkdir(at('site-3'))
    await write('site-3/new.html', 'n')
    const { code, stdout } = await cli.run('push', cli.folder, '--network')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^1 .* was not pulled$/m)
    expect(stdout).toMatch(/^2 .* 1 updated$/m)
    expect(stdout).toMatch(/^3 .* 1 created$/m)
    expect(await cli.stored()).toEqual({ header: 'hh' })
  })
})
