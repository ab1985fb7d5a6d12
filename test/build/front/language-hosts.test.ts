import { describe, expect, it } from 'vitest'
import { encodePhp, setValue } from '#php-serialized'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { useFront } from '../../support/front.ts'

const PAGES = [3, 4, 5, 6, 7, 8, 9]

const front = await useFront({ staticDir: undefined })
const site = await front.network.site(2)
const { sql } = front.network.db
const domains = new Map([
  ['en', 'http://net.test/shop'],
  ['fr', 'http://laden.fr/shop'],
  ['de', 'http://laden.de'],
])
let option_value = (await readOption(front.network.db, site, 'polylang')) ?? ''
for (const [key, value] of [
  ['force_lang', 3],
  ['domains', domains],
] as const)
  option_value = setValue(option_value, [key], encodePhp(value))
await sql(site.tables.options).where({ option_name: 'polylang' }).update({ option_value })
await front.frame(2, 'page', '<h1 data-op-bind="page.id"></h1>')
await front.assign(2, 'page', PAGES)

const idAt = async (url: string) => {
  const { status, headers, body } = await front.ask(url)
  return headers.location ?? (status === 200 ? body : status)
}

describe('a language on a domain', () => {
  it('has its pages on the domain, and its home at the configured URL', async () => {
    expect(await idAt('http://laden.fr/shop/a-propos/')).toBe('<h1>8</h1>')
    expect(await idAt('http://laden.fr/shop/')).toBe('<h1>4</h1>')
    expect(await idAt('http://laden.de/')).toBe('<h1>5</h1>')
    expect(await idAt('http://laden.de/shop/uber-uns/')).toBe('<h1>9</h1>')
    expect(await idAt('http://net.test/shop/')).toBe('<h1>3</h1>')
  })

  it('redirects pages of other languages to their own host from it', async () => {
    expect(await idAt('http://laden.de/shop/')).toBe('http://laden.de/')
    expect(await idAt('http://laden.fr/shop/about-us/')).toBe('http://net.test/shop/about-us/')
    expect(await idAt('http://net.test/shop/a-propos/')).toBe('http://laden.fr/shop/a-propos/')
  })

  it('does not answer for hosts that no site has', async () => {
    expect(await idAt('http://laden.it/shop/')).toBe(404)
    expect(await idAt('http://x.laden.de/')).toBe(404)
  })
})
