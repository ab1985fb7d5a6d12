import { readdir, rename, rm } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { useFramesCli } from '../../support/frames-cli.ts'
import { embed, linesOf, NOTHING, pushedFolder } from '../../support/pushed-folder.ts'

const cli = await useFramesCli()
beforeEach(() => cli.clear())

const { at, read, write, pull, pulled, push, problems } = pushedFolder(() => cli)

describe('a renamed file', () => {
  it('renames its frame on the site, and references in the folder', async () => {
    await pulled({ old: `x${embed('old')}`, page: embed('old'), other: 'o' })
    await rename(at('old.html'), at('new.html'))
    await write('other.html', `edited ${embed('old')}`)
    // The frame embeds itself, which is an error.
    const { code, stdout } = await push('--allow-problems')
    expect(code).toBe(0)
    expect(linesOf(stdout).slice(1)).toEqual([
      expect.stringContaining('The frame embeds itself'),
      '  ~ frame new (renamed from old)',
      '  ~ frame other (replaced)',
      '  ~ frame page (replaced)',
      'Run: 3 steps on 1 site, 0 without changes',
      '',
    ])
    const after = { new: `x${embed('new')}`, page: embed('new'), other: `edited ${embed('new')}` }
    expect(await cli.stored()).toEqual(after)
    for (const [slug, html] of Object.entries(after)) expect(await read(`${slug}.html`)).toBe(html)
    expect((await push()).stdout).toBe(NOTHING)
    expect((await pull()).frames).toMatchObject([
      { did: 'unchanged' },
      { did: 'unchanged' },
      { did: 'unchanged' },
    ])
  })

  it('renames references in the folder also if the push was interrupted before', async () => {
    await pulled({ old: 'x', page: embed('old'), other: 'o' })
    await rename(at('old.html'), at('new.html'))
    await write('other.html', `edited ${embed('old')}`)
    const before = new Map<string, string>()
    for (const name of ['frames.json', 'page.html', 'other.html'])
      before.set(name, await read(name))
    await push()
    for (const [name, text] of before) await write(name, text)
    expect((await push()).stdout).toBe(NOTHING)
    for (const [slug, html] of Object.entries(await cli.stored()))
      expect(await read(`${slug}.html`)).toBe(html)
    expect((await pull()).outcome).toContain('nothing new')
  })

  it('leaves an embedder that changed on the site to the next pull', async () => {
    await pulled({ old: 'x', page: embed('old') })
    await cli.put('page', `theirs ${embed('old')}`)
    await rename(at('old.html'), at('new.html'))
    expect(await push()).toMatchObject({ code: 0 })
    expect(await cli.stored()).toEqual({ new: 'x', page: `theirs ${embed('new')}` })
    expect(await problems()).toMatchObject([{ name: 'page', reason: 'conflict' }])
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
    await cli.fixture.rename('old', 'theirs')
    await cli.put('older', 'yy')
    expect(await problems()).toMatchObject([
      { name: 'new', message: expect.stringContaining('"theirs"') },
      { name: 'newer', message: expect.stringContaining('changed on the site') },
    ])
    await push('--force')
    expect(await cli.stored()).toEqual({ new: 'x', newer: 'y' })
  })

  it('may differ only in case', async () => {
    await pulled({ header: 'h' })
    await rename(at('header.html'), at('Header.html'))
    expect((await push()).stdout).toBe(NOTHING)
    await write('Header.html', 'hh')
    await push()
    expect(await cli.stored()).toEqual({ header: 'hh' })
    expect(await readdir(cli.folder)).toContain('Header.html')
  })
})
