import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'
import { startFront, type TestFront } from '../support/front.ts'

let front: TestFront
beforeEach(async () => {
  front = await startFront()
  for (const blogId of [1, 2, 4])
    await front.frame(blogId, 'page', `<h1>site ${blogId}: <b data-op-bind="page.title"></b></h1>`)
})
afterEach(() => front.stop())

const NOT_PUBLIC = { published: false, reason: 'page_not_public' }

/** Writes options as wp-admin would: nobody tells this service. */
async function setOptions(blogId: number, options: Readonly<Record<string, string>>) {
  const { tables } = await front.network.site(blogId)
  for (const [option_name, option_value] of Object.entries(options)) {
    const row = { option_name, option_value, autoload: 'on' }
    await front.network.db.sql(tables.options).insert(row).onConflict('option_name').merge()
  }
}

/** Gives the French of a site a domain. */
const claim = (blogId: number, domain: string) => {
  const domains = new Map([['fr', domain]])
  const polylang = new Map<string, string | number | Map<string, string>>([
    ['force_lang', 3],
    ['domains', domains],
    ['default_lang', 'en'],
  ])
  return setOptions(blogId, { polylang: encodePhp(polylang) })
}

const setHome = (blogId: number, home: string) =>
  setOptions(blogId, { home, show_on_front: 'page', page_on_front: '2' })

const staticOf = async (blogId: number, page: number) =>
  (await front.assign(blogId, 'page', [page])).statics.get(page)

const copyAt = (path: string) => {
  const file = join(front.staticDir, path, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

describe('the host of a home that `blogs` does not list', () => {
  it('is that of no language of another site', async () => {
    await setHome(4, 'http://mapped.test')
    expect(await staticOf(4, 2)).toMatchObject({ published: true, url: 'http://mapped.test/' })
    const copy = copyAt('mapped.test')
    const owner = readFileSync(join(front.staticDir, 'mapped.test/.page.json'), 'utf8')

    await claim(2, 'http://mapped.test')
    expect(await staticOf(2, 4)).toMatchObject(NOT_PUBLIC)
    expect(await staticOf(2, 8)).toMatchObject(NOT_PUBLIC)
    expect(copyAt('mapped.test')).toBe(copy)
    expect(readFileSync(join(front.staticDir, 'mapped.test/.page.json'), 'utf8')).toBe(owner)
    expect((await front.ask('http://mapped.test/')).body).toBe(copy)
    expect(copy).toContain('site 4')

    // Nor where the front has to ask whose host it is.
    await front.assign(4, 'page', [2], { clear: true })
    expect((await front.ask('http://mapped.test/')).status).toBe(404)
  })

  it('is the own one of its site at once, though a language had it', async () => {
    await claim(2, 'http://mapped.test')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://mapped.test/' })
    await setHome(4, 'http://mapped.test')
    expect(await staticOf(4, 2)).toMatchObject({ published: true, url: 'http://mapped.test/' })
    expect(await staticOf(2, 4)).toMatchObject({ ...NOT_PUBLIC, removed: false })
    expect(copyAt('mapped.test')).toContain('site 4')
  })
})

describe("a host that several sites' languages claim", () => {
  it("is nobody's where the sites have hosts of their own", async () => {
    await claim(2, 'http://laden.fr')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://laden.fr/' })
    await claim(4, 'http://laden.fr')
    expect(await staticOf(2, 4)).toMatchObject({ ...NOT_PUBLIC, removed: true })
    expect((await front.ask('http://laden.fr/')).status).toBe(404)
    const { db, globals } = front.network
    await db.sql(globals.blogs).where({ blog_id: 4 }).update({ spam: 1 })
    expect(await staticOf(2, 4)).toMatchObject({ published: true })
  })

  it('is shared by their paths where they share one host', async () => {
    await claim(1, 'http://laden.fr')
    await claim(2, 'http://laden.fr/shop')
    expect(await staticOf(2, 4)).toMatchObject({ published: true, url: 'http://laden.fr/shop/' })
    expect(await staticOf(2, 8)).toMatchObject({ url: 'http://laden.fr/shop/a-propos/' })
    rmSync(join(front.staticDir, 'laden.fr'), { recursive: true })
    const { body } = await front.ask('http://laden.fr/shop/a-propos/')
    expect(body).toMatch(/^<h1>site 2: /)
  })
})
