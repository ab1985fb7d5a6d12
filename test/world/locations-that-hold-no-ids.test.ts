import { beforeEach, describe, expect, it } from 'vitest'
import { readLocationMaps } from '../../src/wordpress/nav-menus/location-maps.ts'
import { readOption } from '../../src/wordpress/options/read-options.ts'
import { useMenusApi } from '../support/menus-api.ts'
import { setOption } from '../support/network.ts'

/**
 * A theme's map of locations holds a slug, a name, a term or a text that begins with a number.
 * Right: WordPress 7.1, `wp_get_nav_menu_object()`: the id that PHP casts the value to, else the slug, else the name, or the `WP_Term` itself.
 */
const menus = await useMenusApi()
const { network } = menus
const site = await network.site(3)
const { terms } = site.tables
const DOCS = 4

const mods = (value: string) => `a:1:{s:18:"nav_menu_locations";a:1:{s:6:"header";${value}}}`
const text = (value: string) => `s:${Buffer.byteLength(value)}:"${value}";`
const { theme } = await readLocationMaps(network.db, site)
const store = (value: string) => setOption(network, 3, `theme_mods_${theme}`, mods(value))
const stored = () => readOption(network.db, site, `theme_mods_${theme}`)

const NAMED: [string, string][] = [
  ['an id', 'i:4;'],
  ['an id as a text', text('4')],
  ['spaces before', text(' 4')],
  ['a sign', text('+4')],
  ['a decimal text', text('4.9')],
  ['a float', 'd:4.9;'],
  ['an exponent', text('4e0')],
  ['zeros before', text('04')],
  ['a number at the start', text('4abc')],
  ['an underscore after it', text('4_0')],
  ['a slug', text('docs')],
  ['a slug in capitals', text('DOCS')],
  ['a name', text('Docs')],
  ['a term', 'O:7:"WP_Term":2:{s:7:"term_id";i:4;s:4:"name";s:4:"Docs";}'],
]
const NOT_NAMED: [string, string][] = [
  ['a hexadecimal text', text('0x4')],
  ['a negative id', text('-4')],
  ['true', 'b:1;'],
  ['nothing', 'N;'],
  ['an array', 'a:1:{i:0;i:4;}'],
  ['another object', 'O:8:"stdClass":0:{}'],
  ['an unknown slug', text('nothing')],
  ['nothing but space', text(' ')],
]

beforeEach(async () => {
  await network.db.sql(terms).where({ term_id: DOCS }).update({ name: 'Docs', slug: 'docs' })
})

describe('locations that hold no ids', () => {
  it.each(NAMED)('%s names the menu', async (_, value) => {
    await store(value)
    expect((await readLocationMaps(network.db, site)).byTheme.get('header')).toBe(DOCS)
    const { body } = await menus.as('admin')('get', '/site/3/menus')
    expect(body.menus).toContainEqual(
      expect.objectContaining({ id: DOCS, assigned: [{ location: 'header', lang: null }] }),
    )
    const { status } = await menus.as('admin')('get', '/site/3/menus/~header')
    expect(status).toBe(200)
  })

  it.each(NOT_NAMED)('%s names none', async (_, value) => {
    await store(value)
    const { status } = await menus.as('admin')('get', '/site/3/menus/~header')
    expect(status).toBe(404)
  })

  it.each([text('docs'), text('4abc'), NAMED.at(-1)?.[1] ?? ''])(
    '%s is freed with the menu, and comes back with it',
    async (value) => {
      await store(value)
      const admin = menus.as('admin')
      const { body } = await admin('delete', `/site/3/menus/${DOCS}`)
      expect(body.freed_locations).toContainEqual(expect.objectContaining({ location: 'header' }))
      expect(await stored()).toBe(mods('i:0;'))
      const { body: history } = await admin('get', `/site/3/history?kind=menu&ref=${DOCS}&limit=1`)
      const { request_id } = history.entries[0]
      await admin('post', '/site/3/restore', { request_id })
      expect(await stored()).toBe(mods('i:4;'))
    },
  )
})
