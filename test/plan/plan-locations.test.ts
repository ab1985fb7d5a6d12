import { describe, expect, it } from 'vitest'
import { menuIdAt, readLocationMaps } from '../../src/wordpress/nav-menus/location-maps.ts'
import { listMenus } from '../../src/wordpress/nav-menus/nav-menu.ts'
import { readLinkSettings } from '../../src/wordpress/permalinks/link-settings.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, linesOf, menu } from './planned-site.ts'

const network = await use(cloneTruth())
const site = await network.site(2)
const { plan, settle } = createPlannedSite(network, site)
const fixture = createSiteFixture(network.db, site)

type Location = { readonly location: string; readonly lang?: string; readonly theme?: string }
const at = (slug: string, ...locations: readonly Location[]) => menu(slug, [], { locations })

/** The slug of the menu at a location of the active theme, as WordPress finds it. */
async function shownAt(location: string, lang: string): Promise<string | undefined> {
  const { languages } = await readLinkSettings(network.db, site)
  const maps = await readLocationMaps(network.db, site, 'opal')
  const id = menuIdAt(maps, languages, location, lang)
  return (await listMenus(network.db, site)).find((one) => one.id === id)?.slug
}

describe('the plan of locations', () => {
  it('assigns a location without a language in the default one', async () => {
    expect(await settle({ menus: [at('default', { location: 'footer_1' })] })).toEqual([
      'created menu default',
      expect.stringMatching(/^assigned location footer_1:en .*to default$/),
    ])
    expect(await shownAt('footer_1', 'en')).toBe('default')
    const { steps } = await plan({ menus: [at('default', { location: 'footer_1', lang: 'en' })] })
    expect(steps).toEqual([])
  })

  it('names the menu that loses a location', async () => {
    const location = { location: 'footer_2', lang: 'fr' }
    await settle({ menus: [at('first', location)] })
    const steps = await settle({ menus: [at('second', location)] })
    expect(steps).toEqual([
      'created menu second',
      'assigned location footer_2:fr from first to second',
    ])
    expect(await shownAt('footer_2', 'fr')).toBe('second')
  })

  it('leaves locations alone that are not described, unless the description manages all', async () => {
    await settle({ menus: [at('moving', { location: 'footer_3', lang: 'de' })] })
    expect((await plan({ menus: [at('moving')] })).steps).toEqual([])
    const { steps } = await plan({ menus: [at('moving')], manages: 'all' })
    expect(linesOf(steps)).toContain('cleared location footer_3:de from moving')
  })

  it('finds a menu in the map of a theme that is not active', async () => {
    const location = { location: 'header', theme: 'other-theme' }
    expect(await settle({ menus: [at('themed', location)] })).toContainEqual(
      expect.stringMatching(/^assigned location .*other-theme.* to themed$/),
    )
  })

  it('refuses two menus at one location, also if one names the default language', async () => {
    const { problems } = await plan({
      menus: [at('left', { location: 'header' }), at('right', { location: 'header', lang: 'en' })],
    })
    expect(problems).toMatchObject([
      { kind: 'location', name: 'header:en', reason: 'location_taken' },
    ])
    expect(problems[0]?.message).toContain('"left" and "right"')
  })

  it('refuses a location that is stored in a damaged option', async () => {
    await settle({ menus: [at('undamaged')] })
    await fixture.setOption('theme_mods_broken', 'a:1:{s:9:"x";i:1;}')
    for (const menu of ['undamaged', 'not-created-yet']) {
      const { problems } = await plan({
        menus: [at(menu, { location: 'header', theme: 'broken' })],
      })
      expect(problems).toMatchObject([{ kind: 'location', reason: 'option_damaged' }])
    }
  })
})
