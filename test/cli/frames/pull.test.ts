import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { pullSite } from '../../../src/cli/frames/pull/pull-site.ts'
import { inProcessClient } from '../../../src/cli/in-process-client.ts'
import { sha256, useFramesCli } from '../../support/frames-cli.ts'
import { openTestService } from '../../support/service.ts'

const cli = await useFramesCli()
beforeEach(() => cli.clear())

const pull = (...args: string[]) => cli.run('pull', cli.folder, '--site', '2', ...args)
const pullJson = (code: number, ...args: string[]) =>
  cli.json(code, 'pull', cli.folder, '--site', '2', ...args)
const at = (name: string) => join(cli.folder, name)
const read = (name: string) => readFile(at(name), 'utf8')
const files = async () => (await readdir(cli.folder)).sort()
const manifest = async () => JSON.parse(await read('frames.json'))
const did = async (code: number, ...args: string[]): Promise<Record<string, string>> => {
  const { frames } = await pullJson(code, ...args)
  return Object.fromEntries(
    frames.map((frame: { slug: string; did: string }) => [frame.slug, frame.did]),
  )
}
/** Renames a frame on the site. */
const renameOnSite = (from: string, slug: string) => cli.fixture.rename(from, slug)

describe('frames pull', () => {
  it('writes a file for each frame, byte for byte, and the manifest', async () => {
    const odd = '\u{feff}<p>\r\n\0\\ é €</p>'
    const header = await cli.put('header', '<header>')
    const other = await cli.put('article__faq--simple', odd)
    const { code, stdout } = await pull()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^new +article__faq--simple +article__faq--simple\.html\nnew +header/)
    expect(stdout).toContain(`2 frames in ${cli.folder}: 2 new\n`)
    expect(await files()).toEqual(['article__faq--simple.html', 'frames.json', 'header.html'])
    expect(await readFile(at('article__faq--simple.html'))).toEqual(Buffer.from(odd))
    expect(await manifest()).toEqual({
      version: 1,
      site: { id: 2, address: 'net.test/shop' },
      frames: [
        {
          id: other,
          slug: 'article__faq--simple',
          sha256: sha256(odd),
          file: 'article__faq--simple.html',
        },
        { id: header, slug: 'header', sha256: sha256('<header>'), file: 'header.html' },
      ],
    })
    expect((await pull()).stdout).toBe(`2 frames in ${cli.folder}: nothing new\n`)
  })

  it('updates files from the site, and keeps edited files', async () => {
    for (const slug of ['changed', 'edited', 'gone', 'both', 'same', 'lost'])
      await cli.put(slug, slug)
    await pull()
    await cli.put('changed', 'changed again')
    await writeFile(at('edited.html'), 'mine')
    await cli.remove('gone')
    await cli.put('both', 'theirs')
    await writeFile(at('both.html'), 'mine')
    await cli.put('same', 'agreed')
    await writeFile(at('same.html'), 'agreed')
    await rm(at('lost.html'))
    await writeFile(at('mine.html'), 'not sent yet')
    await cli.put('fresh', 'f')
    const { frames } = await pullJson(1)
    expect(frames).toMatchObject([
      { slug: 'both', did: 'conflict', note: expect.stringContaining('by user 2 at 2026-01-02') },
      { slug: 'changed', did: 'updated' },
      { slug: 'edited', did: 'edited' },
      { slug: 'fresh', did: 'new' },
      { slug: 'lost', did: 'updated' },
      { slug: 'same', did: 'unchanged' },
      { slug: 'gone', did: 'removed' },
    ])
    const texts = Object.fromEntries(
      await Promise.all(
        (await files())
          .filter((name) => name.endsWith('.html'))
          .map(async (name) => [name, await read(name)]),
      ),
    )
    expect(texts).toEqual({
      'both.html': 'mine',
      'changed.html': 'changed again',
      'edited.html': 'mine',
      'fresh.html': 'f',
      'lost.html': 'lost',
      'mine.html': 'not sent yet',
      'same.html': 'agreed',
    })
    expect((await pull('--force')).code).toBe(0)
    expect([await read('both.html'), await read('edited.html')]).toEqual(['theirs', 'edited'])
    expect(await read('mine.html')).toBe('not sent yet')
    expect((await pull()).stdout).toContain('nothing new')
  })

  it('keeps a file that it did not write', async () => {
    await cli.put('header', 'theirs')
    await mkdir(cli.folder)
    await writeFile(at('header.html'), 'mine')
    const { code, stdout, stderr } = await pull()
    expect([code, stderr]).toEqual([1, `1 frame in ${cli.folder}: 1 conflict\n`])
    expect(stdout).toContain('pull --force')
    expect(await read('header.html')).toBe('mine')
    await writeFile(at('header.html'), 'theirs')
    expect(await did(0)).toEqual({ header: 'unchanged' })
    expect((await manifest()).frames).toHaveLength(1)
  })

  it('handles two frames that swapped their slugs, with their edits', async () => {
    await cli.put('a', 'A')
    await cli.put('b', 'B')
    await pull()
    await writeFile(at('a.html'), 'mine')
    await renameOnSite('a', 'between')
    await renameOnSite('b', 'a')
    await renameOnSite('between', 'b')
    expect(await did(1)).toEqual({ a: 'conflict', b: 'edited' })
    expect(await did(0)).toEqual({ a: 'new', b: 'edited' })
    expect(await files()).toEqual(['a.html', 'b.html', 'frames.json'])
    expect([await read('a.html'), await read('b.html')]).toEqual(['B', 'mine'])
  })

  it('handles a rename on both sides together with a rename to the former slug', async () => {
    const renamed = await cli.put('a', 'A')
    const other = await cli.put('b', 'B')
    await pull()
    await rename(at('a.html'), at('c.html'))
    await renameOnSite('a', 'c')
    await renameOnSite('b', 'a')
    expect(await did(0)).toEqual({ a: 'unchanged', c: 'unchanged' })
    expect((await manifest()).frames).toMatchObject([
      { id: other, slug: 'a', file: 'a.html' },
      { id: renamed, slug: 'c', file: 'c.html' },
    ])
    expect((await pull()).stdout).toContain('nothing new')
  })

  it('continues an interrupted pull', async () => {
    await cli.put('a', 'A')
    await cli.put('b', 'B')
    await cli.put('c', 'C')
    await pull()
    await cli.remove('b')
    await renameOnSite('a', 'b')
    const services = await openTestService(cli.network)
    const stop = new AbortController()
    const progress = { expect: () => undefined, tick: () => stop.abort() }
    const run = { signal: stop.signal, progress }
    expect(await pullSite(inProcessClient(services), cli.shop, run, cli.folder, {})).toMatchObject({
      state: 'stopped',
      outcome: expect.stringMatching(/^1 frame of 2 in /),
    })
    expect(await did(0)).toEqual({ b: 'unchanged', c: 'unchanged' })
    expect(await files()).toEqual(['b.html', 'c.html', 'frames.json'])
    expect(await read('b.html')).toBe('A')
  })

  it('keeps the new name of a file that was renamed in the folder', async () => {
    await cli.put('old', 'x')
    await pull()
    await rename(at('old.html'), at('new.html'))
    expect(await did(0)).toEqual({ old: 'unchanged' })
    await cli.put('old', 'xx')
    expect(await did(0)).toEqual({ old: 'updated' })
    expect(await files()).toEqual(['frames.json', 'new.html'])
    expect(await read('new.html')).toBe('xx')
    expect((await manifest()).frames[0].file).toBe('old.html')
    await pull('--force')
    expect(await files()).toEqual(['frames.json', 'old.html'])
  })

  it('reports a damaged record and pulls the other frames', async () => {
    const id = await cli.put('broken', 'x')
    await cli.put('whole', 'y')
    const row = cli.network.db
      .sql(cli.shop.tables.options)
      .where({ option_name: `svc_frame_${id}` })
    await row.update({ option_value: 'a:1:{s:4:"html";s:99:"cut' })
    expect(await did(1)).toEqual({ broken: 'unreadable', whole: 'new' })
    expect(await files()).toEqual(['frames.json', 'whole.html'])
    await cli.put('broken', 'x')
  })
})

it('slugs of older endpoints become unique file names inside the folder', async () => {
  const slugs = ['a/b', '../up', 'Header', 'header', 'con', 'über', '', '.', 'x'.repeat(190), '%41']
  const ids = slugs.map((_, index) => `abcdef012345678${index}`)
  const { options } = cli.shop.tables
  const registry = encodePhp(Object.fromEntries(ids.map((id, index) => [id, slugs[index] ?? ''])))
  await cli.network.db.sql(options).where({ option_name: 'svc_frames' }).delete()
  await cli.network.db.sql(options).insert([
    { option_name: 'svc_frames', option_value: registry, autoload: 'off' },
    ...ids.map((id, index) => ({
      option_name: `svc_frame_${id}`,
      option_value: `<p>${index}</p>`,
      autoload: 'off',
    })),
  ])
  expect((await pull()).code).toBe(0)
  const entries = (await manifest()).frames as { slug: string; file: string }[]
  expect(Object.fromEntries(entries.map(({ slug, file }) => [slug, file]))).toEqual({
    'a/b': 'a%2Fb.html',
    '../up': '%2E%2E%2Fup.html',
    Header: '%48eader.html',
    header: 'header.html',
    con: '%63on.html',
    über: '%C3%BCber.html',
    '': '%id-abcdef0123456786.html',
    '.': '%2E.html',
    ['x'.repeat(190)]: `${'x'.repeat(190)}.html`,
    '%41': '%2541.html',
  })
  expect(await files()).toHaveLength(slugs.length + 1)
  expect(await cli.json(0, 'push', cli.folder, '--site', '2')).toMatchObject({ changed: 0 })
  await cli.network.db.sql(options).where('option_name', 'like', 'svc\\_frame%').delete()
})

describe('an invalid folder', () => {
  const refusal = async (): Promise<string> => {
    const { code, stdout, stderr } = await pull()
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }

  it('is rejected if its manifest or a file is invalid', async () => {
    await cli.put('header', 'x')
    await pull()
    const text = await read('frames.json')
    await writeFile(at('frames.json'), text.replace('"id": 2', '"id": 3'))
    expect(await refusal()).toContain('contains frames of site 3')
    await writeFile(at('frames.json'), text.replace('header.html', '../../header.html'))
    expect(await refusal()).toContain('is not the name of a .html file in this folder')
    await writeFile(at('frames.json'), '<<<<<<< HEAD')
    expect(await refusal()).toContain('frames.json is invalid')
    await writeFile(at('frames.json'), text)
    await rm(at('header.html'))
    await symlink('/etc/passwd', at('header.html'))
    expect(await refusal()).toContain('header.html is not a regular file')
  })

  it('is rejected if it is a file', async () => {
    await cli.put('header', 'x')
    await writeFile(cli.folder, '')
    expect(await refusal()).toBe(`${cli.folder} is not a folder.\n`)
  })

  it('is rejected if its name is empty', async () => {
    for (const verb of ['pull', 'push']) {
      const { code, stderr } = await cli.run(verb, '', '--site', '2')
      expect([code, stderr]).toEqual([2, expect.stringContaining('Name a folder')])
    }
  })
})
