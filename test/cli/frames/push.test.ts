import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { listFramePages } from '../../../src/content/frames/frame-pages.ts'
import { readFrames } from '../../../src/content/frames/read-frame.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { answer, runCommand } from '../../support/cli.ts'
import { sha256, useFramesCli } from '../../support/frames-cli.ts'
import { embed, linesOf, NOTHING, pushedFolder } from '../../support/pushed-folder.ts'

const cli = await useFramesCli()
beforeEach(() => cli.clear())

const { at, read, write, pull, pulled, push, pushJson, problems } = pushedFolder(() => cli)
const manifest = async (): Promise<Record<string, string>> => {
  const { frames } = JSON.parse(await read('frames.json'))
  return Object.fromEntries(
    frames.map(({ file, sha256: hash }: { file: string; sha256: string }) => [file, hash]),
  )
}

/** The page "legal". */
const LEGAL = 13

describe('frames push', () => {
  it('updates edited frames, creates new ones, and updates the manifest', async () => {
    await pulled({ header: 'h', footer: 'f' })
    const odd = '\u{feff}<p>\r\n\0\\ é €</p>'
    await write('header.html', odd)
    await write('promo.html', '<b>')
    const { code, stdout, stderr } = await push('--user', 'alice', '--allow-problems')
    expect([code, stderr]).toEqual([0, ''])
    expect(linesOf(stdout).filter((line) => !line.startsWith('  warning: '))).toEqual([
      'net.test/shop (site 2): applied',
      '  ~ frame header (replaced)',
      '  + frame promo (created)',
      'Run: 2 steps on 1 site, 0 without changes',
      '',
    ])
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
    expect((await push()).stdout).toBe(NOTHING)
  })

  it('records no author, or the named one', async () => {
    await pulled({ header: 'h' })
    await write('header.html', 'hh')
    await push()
    expect((await cli.json(0, 'show', 'header', '--site', '2')).frame.updated_by).toBe(0)
    expect((await push('--user', 'nobody')).stderr).toContain('"nobody"')
  })

  it('refuses markup with errors, and with --strict warnings too, unless problems are allowed', async () => {
    await pulled({ header: 'h', page: embed('header') })
    await write('header.html', '<h1><!-- svc/frmae {"name":"x"} /-->')
    const { code, stdout, stderr } = await push()
    expect([code, stderr]).toEqual([
      1,
      '1 site is blocked by problems. Nothing was written. Correct them. Errors of markup can be written with --allow-problems.\n',
    ])
    expect(stdout).toContain('Unknown insert')
    expect(await cli.stored()).toMatchObject({ header: 'h' })
    expect(await problems('--dry-run')).toMatchObject([{ name: 'header' }])
    await write('header.html', '<!-- svc/data {"source":"dataset.none.x"} /-->')
    expect(await problems('--strict')).toMatchObject([{ name: 'header' }])
    expect((await push()).code).toBe(0)
  })

  it('bakes the sent frames and their embedders, and prints warnings', async () => {
    await pulled({ page: embed('header'), header: 'h' })
    await cli.fixture.assign('page', [LEGAL])
    await write('header.html', `<h1>${embed('nothing')}<!-- svc/nothing /-->`)
    const { code, stdout } = await push('--allow-problems')
    expect([code, linesOf(stdout).slice(1, 3)]).toEqual([
      0,
      [
        '  warning: frame header: Line 1, column 5: There is no frame "nothing"; the insert prints nothing.',
        expect.stringMatching(/^ {2}warning: frame header: Line 1, column \d+: Unknown insert/),
      ],
    ])
    const copy = join(cli.staticDir, 'net.test/shop/legal/index.html')
    expect(await readFile(copy, 'utf8')).toMatch(/^<h1>/)
    await write('header.html', '<h2>')
    expect(await pushJson(0, '--no-bake')).toMatchObject({
      state: 'done',
      results: [{ state: 'applied', steps: 1, failures: [] }],
    })
    expect(await readFile(copy, 'utf8')).toMatch(/^<h1>/)
    await cli.run('bake', '--site', '2')
    expect(await readFile(copy, 'utf8')).toBe('<h2>')
  })

  it('is one run, which can be rolled back', async () => {
    await pulled({ header: 'h', old: 'o', page: embed('old'), gone: 'g' })
    const before = await cli.stored()
    await write('header.html', 'hh')
    await write('promo.html', embed('header'))
    await rename(at('old.html'), at('new.html'))
    await rm(at('gone.html'))
    const { run } = await pushJson(0, '--delete')
    expect(Object.keys(await cli.stored())).toEqual(['header', 'new', 'page', 'promo'])
    expect((await push()).stdout).toBe(NOTHING)
    const { stdout } = await runCommand(['runs', run], cli.env)
    expect(stdout).toMatch(/^2 +net\.test\/shop +applied +5$/m)
    expect(await runCommand(['rollback', run], cli.env)).toMatchObject({ code: 0 })
    expect(await cli.stored()).toEqual(before)
    expect((await pull()).outcome).toMatch(/^4 frames /)
    for (const [slug, html] of Object.entries(before)) expect(await read(`${slug}.html`)).toBe(html)
  })

  it('sends nothing if a frame changed on the site since the pull', async () => {
    await pulled({ header: 'h', footer: 'f' })
    await cli.put('header', 'theirs')
    await write('header.html', 'mine')
    await write('footer.html', 'mine')
    const { code, stdout, stderr } = await push()
    expect([code, stderr]).toEqual([
      1,
      '1 site is blocked by problems. Nothing was written. Pull to get the changes of the site, or overwrite them with push --force.\n',
    ])
    expect(stdout).toMatch(/! frame header: It was changed on the site .* by user 2 at/)
    expect(await cli.stored()).toEqual({ footer: 'f', header: 'theirs' })
    expect(await push('--force')).toMatchObject({ code: 0 })
    expect(await cli.stored()).toEqual({ footer: 'mine', header: 'mine' })
  })

  it('rejects a new file for a frame that was never pulled, unless forced', async () => {
    await pulled({ header: 'h' })
    await cli.put('promo', 'theirs')
    await write('promo.html', 'mine')
    expect(await problems()).toMatchObject([
      { name: 'promo', reason: 'conflict', message: expect.stringContaining('not seen') },
    ])
    await push('--force')
    expect(await cli.stored()).toEqual({ header: 'h', promo: 'mine' })
  })

  it('rejects an edit of a frame that was deleted on the site, or creates it again with --force', async () => {
    await pulled({ header: 'h' })
    await cli.remove('header')
    expect((await push()).stdout).toBe(NOTHING)
    await write('header.html', 'mine')
    expect(await problems()).toMatchObject([
      { reason: 'conflict', message: expect.stringContaining('deleted on the site') },
    ])
    await push('--force')
    expect(await cli.stored()).toEqual({ header: 'mine' })
    expect((await push()).stdout).toBe(NOTHING)
  })

  it('deletes frames only with --delete', async () => {
    await pulled({ header: 'h', footer: 'f', gone: 'g', page: embed('header') })
    await cli.remove('gone')
    for (const name of ['header', 'footer', 'gone']) await rm(at(`${name}.html`))
    expect(await push()).toEqual({
      code: 0,
      stdout: NOTHING,
      stderr: 'net.test/shop: 2 frames without a file kept (use --delete): footer, header\n',
    })
    expect(Object.keys(await cli.stored())).toEqual(['footer', 'header', 'page'])
    await cli.put('footer', 'theirs')
    expect(await problems('--delete', '--allow-problems')).toMatchObject([
      { name: 'footer', reason: 'conflict' },
    ])
    const { stdout } = await push('--delete', '--force', '--allow-problems')
    expect(stdout).toContain('- frame header (deleted)\n')
    expect(stdout).toContain('warning: frame page: It embeds "header", which this deletes')
    expect(await cli.stored()).toEqual({ page: embed('header') })
    expect(Object.keys(await manifest())).toEqual(['page.html'])
  })

  it('takes pages off a frame that it deletes', async () => {
    await pulled({ page: 'p' })
    await cli.fixture.assign('page', [LEGAL])
    await rm(at('page.html'))
    expect((await push('--delete')).stdout).toContain('- page /legal (en) (cleared from page)\n')
    expect((await listFramePages(cli.network.db, cli.shop)).size).toBe(0)
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
    const { code, stderr } = await push()
    expect([code, stderr.trimEnd().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/\/bytes\.html: the file is not valid UTF-8$/),
        expect.stringMatching(/\/no slug\.html: .* is not a valid slug/),
        expect.stringMatching(/\/twin\.html: Twin\.html has the same slug$/),
      ],
    ])
    for (const name of ['no slug', 'bytes', 'Twin', 'twin']) await rm(at(`${name}.html`))
    await write('large.html', 'x'.repeat(2 * 1024 * 1024 + 1))
    await write('torn.html', '<!-- svc/frame {"name":"header","id":"large"} /-->')
    expect((await push()).stderr).toMatch(/^frame large: .*2097152/)
    await rm(at('large.html'))
    expect(await problems()).toMatchObject([{ name: 'torn', reason: 'frame_ref_conflict' }])
    expect((await cli.stored()).header).toBe('h')
  })

  it('are ignored if they belong to other programs', async () => {
    await pulled({ header: 'h' })
    for (const name of ['.hidden.html', 'notes.txt', 'header.html~']) await write(name, 'x')
    expect((await push()).stdout).toBe(NOTHING)
  })
})

describe('push --dry-run', () => {
  it('shows a removed line that looks like the heading of a diff', async () => {
    await pulled({ header: 'a\n-- before\nb\n' })
    await write('header.html', 'a\nb\n')
    expect((await push('--dry-run')).stdout).toContain('      --- before\n')
  })

  it('shows a diff and writes nothing', async () => {
    await pulled({ header: 'one\ntwo\nthree', old: 'x', page: embed('old'), gone: 'g\n' })
    const before = await read('frames.json')
    await write('header.html', 'one\n2\u001b[31m\nthree')
    await write('promo.html', 'p\n')
    await rename(at('old.html'), at('new.html'))
    await rm(at('gone.html'))
    const { code, stdout } = await push('--dry-run', '--delete')
    expect(code).toBe(0)
    expect(stdout).toBe(
      `  - 1 frame deleted
  ~ 2 frames replaced
  ~ 1 frame renamed
  + 1 frame created
1 site: 5 steps on 1 site, 0 without changes, no page to publish

net.test/shop (site 2): 5 steps
  ~ frame header (replaced)
      @@ -1,3 +1,3 @@
       one
      -two
      +2^[[31m
       three
  ~ frame new (renamed from old)
  + frame promo (created)
      +p
  ~ frame page (replaced)
      @@ -1,1 +1,1 @@
      -${embed('old')}
      +${embed('new')}
  - frame gone (deleted)
      @@ -1,1 +0,0 @@
      -g
`,
    )
    expect(Object.keys(await cli.stored())).toEqual(['gone', 'header', 'old', 'page'])
    expect(await read('frames.json')).toBe(before)
    const { changed, plans } = await pushJson(0, '--dry-run')
    expect([changed, plans[0].steps]).toMatchObject([
      1,
      [
        { action: 'replaced', name: 'header' },
        { action: 'renamed', name: 'new', from: 'old' },
        { action: 'created', name: 'promo', diff: expect.stringContaining('+p') },
        { action: 'replaced', name: 'page' },
      ],
    ])
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
    const no = await answer('n', ['frames', 'push', cli.folder, '--network'], cli.env)
    expect(no.output).toMatch(/ {2}~ 1 frame replaced\r?\n {2}\+ 1 frame created/)
    expect(no.output).toContain('Stopped. Nothing was changed.')
    const { code, stdout } = await cli.run('push', cli.folder, '--network')
    expect(code).toBe(0)
    expect(stdout).toMatch(/ \(site 2\): applied\n {2}~ frame header \(replaced\)\n/)
    expect(stdout).toMatch(/ \(site 3\): applied\n {2}\+ frame new \(created\)\n/)
    expect(stdout).toContain('2 steps on 2 sites')
    expect(await cli.stored()).toEqual({ header: 'hh' })
  })

  it('may be all sites of the network, except one whose folder cannot be read', async () => {
    await cli.put('header', 'h')
    await cli.run('pull', cli.folder, '--network')
    await write('site-2/header.html', 'hhh')
    await mkdir(at('site-3'), { recursive: true })
    await write('site-3/frames.json', '{')
    const { code, stdout, stderr } = await cli.run('push', cli.folder, '--network')
    expect(code).toBe(1)
    expect(stdout).toMatch(/ \(site 2\): applied\n/)
    expect(stderr).toMatch(/ \(site 3\): .*frames\.json/)
    expect(await cli.stored()).toEqual({ header: 'hhh' })
  })
})
