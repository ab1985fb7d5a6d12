import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, normalize, relative, sep } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  assertInside,
  copyFolderForUrl,
  StaticPathError,
} from '../../src/publishing/static-path.ts'

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
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'wp-frames-path-'))
    await mkdir(join(base, 'static/net.test/shop'), { recursive: true })
    await mkdir(join(base, 'static-too'))
    await symlink(join(base, 'static/net.test'), join(base, 'static/alias.test'))
    await symlink(base, join(base, 'static/net.test/up'))
    await symlink(join(base, 'static-too'), join(base, 'static/net.test/beside'))
    await symlink(join(base, 'static'), join(base, 'link-to-static'))
  })
  afterAll(() => rm(base, { recursive: true }))

  it('may lead to paths inside, and to the folder itself', async () => {
    await assertInside(join(base, 'static'), join(base, 'static/alias.test/shop/new/deep'))
    await assertInside(join(base, 'link-to-static'), join(base, 'link-to-static/net.test/new'))
    await assertInside(join(base, 'not-there-yet'), join(base, 'not-there-yet/net.test'))
  })

  it.each(['up', 'up/new/deep', 'beside', 'beside/new'])('may not lead out: %s', async (path) => {
    await expect(
      assertInside(join(base, 'static'), join(base, 'static/net.test', path)),
    ).rejects.toThrow(StaticPathError)
  })
})
