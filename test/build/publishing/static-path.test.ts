import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { join, normalize, relative, sep } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeFolderInside } from '../../../src/build/publishing/copy-files.ts'
import { readCopy } from '../../../src/build/publishing/static-copy.ts'
import { copyFolderForUrl, StaticPathError } from '../../../src/build/publishing/static-path.ts'
import { useFolder } from '../../support/use.ts'

const ROOT = '/var/static'

describe('the folder of a copy', () => {
  it.each([
    ['http://net.test/', 'net.test'],
    ['http://net.test', 'net.test'],
    ['https://NET.test:443/shop/about-us/', 'net.test/shop/about-us'],
    ['http://net.test/shop/about-us', 'net.test/shop/about-us'],
    ['http://localhost:8081/shop/', 'localhost:8081/shop'],
    ['http://net.test/shop/%d8%a7%d9%84/%D0%B1/', 'net.test/shop/ال/б'],
    ['http://net.test/a%20b/', 'net.test/a b'],
  ])('of %s', (url, folder) => {
    expect(copyFolderForUrl(ROOT, url)).toBe(`${ROOT}/${folder}`)
  })

  it.each([
    'http://net.test/?page_id=7',
    'http://net.test/shop/?',
    'http://net.test/shop/#/',
    'http://net.test/shop/../',
    'http://net.test/shop/%2e%2e/',
    'http://net.test/shop/%2E./docs/',
    'http://net.test/shop/./',
    'http://net.test/shop/a%2fb/',
    'http://net.test/shop/a%5cb/',
    'http://net.test/shop/a\\b/',
    'http://net.test/shop/a%00b/',
    'http://net.test/shop//a/',
    'http://net.test/shop/index.html/',
    'http://net.test/shop/index.html.gz/',
    'http://net.test/shop/.page.json/',
    'http://net.test/.pages/2/',
    'http://net.test/%ff/',
    `http://net.test/${'a'.repeat(256)}/`,
    'http://../shop/',
    'http://.pages/',
    'http:///etc/',
    'http://a@b/',
    'ftp://net.test/',
    '/shop/',
    '',
  ])('is none for %j', (url) => {
    expect(copyFolderForUrl(ROOT, url)).toBeUndefined()
  })

  const name = fc.oneof(
    { arbitrary: fc.string({ unit: 'grapheme' }), weight: 3 },
    {
      arbitrary: fc.constantFrom(
        '..',
        '.',
        '%2e%2e',
        '%2E.',
        '..%2f',
        '%5c',
        '\\',
        '%00',
        '\0',
        '',
      ),
      weight: 2,
    },
    { arbitrary: fc.stringMatching(/^[a-z0-9.-]{1,8}$/), weight: 1 },
  )
  const isBelow = (folder: string) =>
    folder.startsWith(ROOT + sep) && folder === normalize(folder) && !folder.includes('\0')

  it('never leaves the folder of static copies, whatever the URL', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(name, fc.array(name)).map(([host, names]) => `http://${host}/${names.join('/')}`),
    )
    fc.assert(
      fc.property(text, (url) => {
        const folder = copyFolderForUrl(ROOT, url)
        expect(folder === undefined || isBelow(folder)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  it('has one level per segment of the URL', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), (names) => {
        const path = names.join('/')
        const folder = copyFolderForUrl(ROOT, `http://net.test/${path}/`)
        if (folder === undefined) return
        const below = relative(join(ROOT, 'net.test'), folder).split(sep).filter(Boolean)
        expect(below).toEqual(path.split('/').filter(Boolean).map(decodeURIComponent))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a symbolic link', () => {
  let base: string
  let root: string
  beforeAll(async () => {
    base = await realpath(await useFolder('path'))
    root = join(base, 'static')
    await mkdir(join(root, 'net.test/shop'), { recursive: true })
    await mkdir(join(base, 'static-too'))
    await symlink(join(root, 'net.test'), join(root, 'alias.test'))
    await symlink(base, join(root, 'net.test/up'))
    await symlink(join(base, 'static-too'), join(root, 'net.test/beside'))
    await symlink(root, join(base, 'link-to-static'))
    for (const folder of [join(root, 'net.test/shop'), base, join(base, 'static-too')])
      await writeFile(join(folder, 'index.html'), 'a page')
  })

  it('may lead to paths inside, and to the folder itself', async () => {
    makeFolderInside(root, join(root, 'alias.test/shop/new/deep'))
    makeFolderInside(root, join(base, 'link-to-static/net.test/new'))
    const linked = join(base, 'link-to-static')
    expect(await readCopy(linked, join(linked, 'alias.test/shop'))).toBeDefined()
    expect(await readCopy(join(base, 'none'), join(base, 'none/net.test'))).toBeUndefined()
  })

  it.each(['up', 'up/new/deep', 'beside', 'beside/new'])('may not lead out: %s', async (path) => {
    expect(() => makeFolderInside(root, join(root, 'net.test', path))).toThrow(StaticPathError)
  })

  it.each(['up', 'beside'])('is not followed out by readers: %s', async (path) => {
    await expect(readCopy(root, join(root, 'net.test', path))).rejects.toThrow(StaticPathError)
  })
})
