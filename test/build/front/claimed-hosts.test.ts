import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodePhp, type PhpInput } from '#php-serialized'
import { increaseNetworkVersion } from '../../../src/wordpress/hosts/network-version.ts'
import { SiteHosts } from '../../../src/wordpress/hosts/site-hosts.ts'
import { MAX_DOMAINS } from '../../../src/wordpress/languages/polylang-settings.ts'
import type { Address } from '../../../src/wordpress/permalinks/address.ts'
import { type TestFront, useFront } from '../../support/front.ts'
import { setOption } from '../../support/network.ts'

let front: TestFront
/** The sites that have the frame. */
const framed = new Set<number>()
beforeEach(async () => {
  front = await useFront()
  framed.clear()
})

const NOT_PUBLIC = { published: false, reason: 'page_not_public' }

/** Sets the domain of a site's French pages. */
const claim = (blogId: number, domain: string) => {
  const domains = new Map([['fr', domain]])
  const polylang = new Map<string, string | number | Map<string, string>>([
    ['force_lang', 3],
    ['domains', domains],
    ['default_lang', 'en'],
  ])
  return setOption(front.network, blogId, 'polylang', encodePhp(polylang))
}

async function setHome(blogId: number, home: string) {
  for (const [name, value] of Object.entries({ home, show_on_front: 'page', page_on_front: '2' }))
    await setOption(front.network, blogId, name, value)
}

async function staticOf(blogId: number, page: number) {
  if (!framed.has(blogId))
    await front.frame(blogId, 'page', `<h1>site ${blogId}: <b data-op-bind="page.title"></b></h1>`)
  framed.add(blogId)
  return (await front.assign(blogId, 'page', [page])).statics.get(page)
}

/** What follows from edits that the service notices. */
const increaseVersion = () =>
  front.network.db.write({}, (tx) => increaseNetworkVersion(tx, front.network.globals))

/** The host table as another process reads it now. */
const hosts = () => new SiteHosts(front.network.db, front.network.globals)

const at = (host: string): Address => ({ host, segments: [], slash: true, query: '' })

describe('the host of a home URL that is not in `blogs`', () => {
  it('cannot be taken by a language of another site', async () => {
    await setHome(4, 'http://mapped.test')
    expect(await staticOf(4, 2)).toMatchObject({ published: true, url: 'http://mapped.test/' })
    const copy = front.copyAt('mapped.test')
    const owner = readFileSync(join(front.staticDir, 'mapped.test/.page.json'), 'utf8')

    await claim(2, 'http://mapped.test')
    expect(await staticOf(2, 4)).toMatchObject(NOT_PUBLIC)
    expect(await staticOf(2, 8)).toMatchObject(NOT_PUBLIC)
    expect(front.copyAt('mapped.test')).toBe(copy)
    expect(readFileSync(join(front.staticDir, 'mapped.test/.page.json'), 'utf8')).toBe(owner)
    expect((await front.ask('http://mapped.test/')).body).toBe(copy)
    expect(copy).toContain('site 4')

    // Also if the front has to look up the host.
    await front.assign(4, 'page', [2], { clear: true })
    expect((await front.ask('http://mapped.test/')).status).toBe(404)
  })

  it('belongs to its site at once, even if a language had it', async () => {
    await claim(2, 'http://mapped.test')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://mapped.test/' })
    await setHome(4, 'http://mapped.test')
    expect(await staticOf(4, 2)).toMatchObject({ published: true, url: 'http://mapped.test/' })
    expect(await staticOf(2, 4)).toMatchObject(NOT_PUBLIC)
    expect(front.copyAt('mapped.test')).toContain('site 4')
  })
})

describe('a host that languages of several sites claim', () => {
  it('stays with the site that had it, with its copies and pages', async () => {
    await claim(2, 'http://laden.fr')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://laden.fr/' })
    await claim(4, 'http://laden.fr')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://laden.fr/' })
    expect(front.copyAt('laden.fr')).toContain('site 2')
    rmSync(join(front.staticDir, 'laden.fr'), { recursive: true })
    expect((await front.ask('http://laden.fr/')).body).toContain('site 2')
  })

  it('is lost to a site whose home gets it, as soon as the version of the network shows that', async () => {
    await claim(2, 'http://mapped.test')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://mapped.test/' })
    await setHome(4, 'http://mapped.test')
    await increaseVersion()
    expect(await staticOf(2, 4)).toMatchObject({ ...NOT_PUBLIC, removed: true })
  })

  it('is not given to a later site, whose response says why', async () => {
    await claim(4, 'http://laden.fr')
    await hosts().find(at('laden.fr'))
    await claim(2, 'http://laden.fr')
    expect(await staticOf(2, 4)).toMatchObject({
      ...NOT_PUBLIC,
      message: expect.stringContaining('leads to another page or another site'),
    })
    expect((await front.ask('http://laden.fr/')).status).toBe(404)
  })

  it('stays with a site whose tables are missing for a while', async () => {
    await claim(4, 'http://laden.fr')
    await hosts().find(at('laden.fr'))
    const { options } = (await front.network.site(4)).tables
    const rename = (from: string, to: string) =>
      front.network.db.sql.raw('RENAME TABLE ?? TO ??', [from, to])
    await rename(options, 'away')
    await claim(2, 'http://laden.fr')
    expect((await hosts().find(at('laden.fr')))?.blog_id).toBe(2)
    await rename('away', options)
    expect((await hosts().find(at('laden.fr')))?.blog_id).toBe(4)
  })

  it('goes to the next site when the first one removes it, or is closed', async () => {
    await claim(2, 'http://laden.fr')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://laden.fr/' })
    await claim(4, 'http://laden.fr')
    const { db, globals } = front.network
    const setSpam = (spam: number) => db.sql(globals.blogs).where({ blog_id: 2 }).update({ spam })
    expect((await hosts().find(at('laden.fr')))?.blog_id).toBe(2)
    await setSpam(1)
    expect((await hosts().find(at('laden.fr')))?.blog_id).toBe(4)
    await setSpam(0)
    expect((await hosts().find(at('laden.fr')))?.blog_id).toBe(2)
    await claim(2, 'http://elsewhere.fr')
    expect((await hosts().find(at('laden.fr')))?.blog_id).toBe(4)
  })

  it('is given to neither of two sites that claimed it at the same time', async () => {
    await claim(2, 'http://laden.fr')
    await claim(4, 'http://laden.fr')
    expect(await hosts().find(at('laden.fr'))).toBeUndefined()
    expect(await staticOf(2, 4)).toMatchObject(NOT_PUBLIC)
  })

  it('is not taken by a site that enables subdomains of a shared host', async () => {
    await claim(4, 'http://sr.net.test')
    await hosts().find(at('sr.net.test'))
    await setOption(front.network, 2, 'polylang', encodePhp(new Map([['force_lang', 2]])))
    expect((await hosts().find(at('sr.net.test')))?.blog_id).toBe(4)
    expect((await hosts().find(at('fr.net.test')))?.blog_id).toBe(2)
  })

  it('leaves the home of a language to the site that had it on a shared host', async () => {
    await claim(2, 'http://laden.fr')
    await hosts().find(at('laden.fr'))
    await claim(3, 'http://laden.fr')
    expect((await hosts().find(at('laden.fr')))?.blog_id).toBe(2)
  })

  it('is found by a database user that may not write', async () => {
    await claim(4, 'http://laden.fr')
    const denied = Object.assign(new Error('denied'), { errno: 1142 })
    const db = { ...front.network.db, transaction: () => Promise.reject(denied) }
    const readOnly = new SiteHosts(db, front.network.globals)
    expect((await readOnly.find(at('laden.fr')))?.blog_id).toBe(4)
  })

  it('are read up to a limit', async () => {
    const domains = Array.from({ length: MAX_DOMAINS + 1 }, (_, n) => [
      `l${n}`,
      `http://l${n}.test`,
    ])
    const polylang = new Map<string, PhpInput>([
      ['force_lang', 3],
      ['domains', new Map(domains as [string, string][])],
    ])
    await setOption(front.network, 2, 'polylang', encodePhp(polylang))
    expect((await hosts().find(at(`l${MAX_DOMAINS - 1}.test`)))?.blog_id).toBe(2)
    expect(await hosts().find(at(`l${MAX_DOMAINS}.test`))).toBeUndefined()
  })

  it('is shared by path if sites share one host', async () => {
    await claim(1, 'http://laden.fr')
    await claim(2, 'http://laden.fr/shop')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://laden.fr/shop/' })
    expect(await staticOf(2, 8)).toMatchObject({ url: 'http://laden.fr/shop/a-propos/' })
    rmSync(join(front.staticDir, 'laden.fr'), { recursive: true })
    const { body } = await front.ask('http://laden.fr/shop/a-propos/')
    expect(body).toMatch(/^<h1>site 2: /)
  })
})
