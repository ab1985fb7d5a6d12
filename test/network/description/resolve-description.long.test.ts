import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { AppError } from '../../../src/host/errors.ts'
import {
  type ResolvedDescription,
  resolveDescription,
} from '../../../src/network/description/resolve-description.ts'
import { SITES_PER_STATEMENT } from '../../../src/wordpress/network/select-from-sites.ts'
import { addSites } from '../../support/many-sites.ts'
import { setOption, useNetwork } from '../../support/network.ts'
import { parseDescription } from '../../support/parse-description.ts'
import { statementsOf } from '../../support/statements.ts'

const network = await useNetwork()
await setOption(network, 3, 'WPLANG', 'fr_FR')
await setOption(network, 3, 'svc_label_region', 'north')
await setOption(network, 4, 'svc_label_region', 'south')
await setOption(network, 4, 'stylesheet', 'agate')

const resolveAll = (fields: object): Promise<ResolvedDescription> =>
  resolveDescription(
    network.db,
    network.globals,
    parseDescription({ version: 1, name: 'test', bundles: {}, ...fields }),
  )

const select = (...matches: object[]) => ({ sites: matches.map((match) => ({ match })) })
const idsOf = ({ sites }: ResolvedDescription) => sites.map(({ site }) => site.blogId)

/** What the sites 2 and 3 get from these bundles. */
const resolveBundles = (bundles: object, selection: object = {}) =>
  resolveAll({
    bundles,
    sites: [{ match: { id: [2, 3] }, bundles: Object.keys(bundles), ...selection }],
  })

/** The problems of a description, as position and message. */
async function problemsOf(resolving: Promise<unknown>): Promise<string[]> {
  const error = await resolving.then(
    () => undefined,
    (reason) => reason,
  )
  if (!(error instanceof AppError)) throw error ?? new Error('there is no problem')
  const problems = error.fields.problems as { at: string; message: string }[]
  return problems.map(({ at, message }) => `${at}: ${message}`)
}

const frame = (slug: string, ...formerly: string[]) => ({ slug, html: `<p>${slug}</p>`, formerly })
const menu = (slug: string, fields: object = {}) => ({ name: slug, slug, items: [], ...fields })

describe('a selection', () => {
  it.each([
    [{ id: 2 }, [2]],
    [{ id: [4, 3, 6] }, [3, 4]],
    [{ address: 'net.test/shop' }, [2]],
    [{ address: '*.test' }, [1, 4]],
    [{ address: ['net.test/d*', 'brand.test'] }, [3, 4]],
    [{ address: '*' }, [1, 2, 3, 4, 5, 7]],
    [{ theme: 'agate' }, [4]],
    [{ theme: ['agate', 'opal'], id: [1, 4] }, [1, 4]],
    [{ language: 'fr_FR' }, [3]],
    [{ language: ['fr', 'en'], id: [2, 3, 4] }, [2, 3, 4]],
    [{ language: 'en_US' }, [1, 5, 7]],
    [{ option: { svc_label_region: ['north', 'south'] } }, [3, 4]],
    [{ option: { svc_label_region: 'south', stylesheet: 'agate' } }, [4]],
    [{ option: { svc_label_region: 'north', stylesheet: 'agate' } }, []],
    [{ option: { svc_label_region: '' } }, []],
    [{ option: { svc_label_region: 'North' } }, []],
  ])('%j selects the sites %j', async (match, ids) => {
    const resolved = await resolveAll(select(match))
    expect(idsOf(resolved)).toEqual(ids)
    expect(resolved.warnings).toHaveLength(ids.length > 0 ? 0 : 1)
  })

  it("compares the code of Polylang's default language, not the locale", async () => {
    const polylang = (lang: string) => encodePhp(new Map([['default_lang', lang]]))
    const { options } = (await network.site(2)).tables
    const [before] = await network.db.sql(options).where({ option_name: 'polylang' })
    await setOption(network, 2, 'polylang', polylang('sr'))
    await setOption(network, 2, 'WPLANG', 'de_DE')
    expect(idsOf(await resolveAll(select({ language: 'sr' })))).toEqual([2])
    expect(idsOf(await resolveAll(select({ language: ['de', 'de_DE'] })))).toEqual([])
    await setOption(network, 2, 'active_plugins', encodePhp(new Map()))
    expect(idsOf(await resolveAll(select({ language: 'de' })))).toEqual([2])
    const plugins = new Map([[0, 'polylang/polylang.php']])
    await setOption(network, 2, 'active_plugins', encodePhp(plugins))
    await setOption(network, 2, 'WPLANG', '')
    await setOption(network, 2, 'polylang', before.option_value)
  })

  it('warns about selections without sites, and bundles without selections', async () => {
    const { warnings } = await resolveAll({
      ...select({ id: 2 }, { id: 99 }),
      bundles: { unused: {} },
    })
    expect(warnings).toEqual([
      'Selection 2 ({"id":[99]}) matches no site.',
      'No selection names the bundle "unused".',
    ])
  })

  it('reads the options of many sites with few statements, and none for ids and addresses', async () => {
    const added = await addSites(network, 2 * SITES_PER_STATEMENT)
    try {
      const all = { address: 's1*.test' }
      const cheap = await statementsOf(network.db, () => resolveAll(select(all, { id: 2 })))
      const resolved: ResolvedDescription[] = []
      const statements = await statementsOf(network.db, async () => {
        const facts = { language: 'en', option: { blogname: 'x' }, theme: 'opal' }
        resolved.push(await resolveAll(select(all, facts)))
      })
      expect(resolved.flatMap(idsOf)).toEqual(added.blogIds)
      expect(cheap).toHaveLength(2)
      expect(statements).toHaveLength(2 + 3 + 3 + 1)
    } finally {
      await added.remove()
    }
  })
})

describe('the desired state of a site', () => {
  it('has what the bundles of all its selections contain', async () => {
    const { sites } = await resolveAll({
      manages: 'all',
      bundles: {
        base: { frames: [frame('header', 'Top!')], variables: { a: 'base', b: 'base' } },
        docs: { menus: [menu('main')], variables: { b: 'docs', c: 'docs' } },
        pages: { pages: { '/': 'header', 'о-нама/тим/': null } },
      },
      sites: [
        { match: { id: [2, 3] }, bundles: ['base'], variables: { c: 'selection' } },
        { match: { id: 3 }, bundles: ['docs', 'base', 'pages'], manages: 'named' },
      ],
    })
    expect(sites.map(({ desired }) => desired)).toEqual([
      {
        manages: 'all',
        frames: [frame('header', 'Top!')],
        menus: [],
        pages: [],
        variables: { a: 'base', b: 'base', c: 'selection' },
      },
      {
        manages: 'named',
        frames: [frame('header', 'Top!')],
        menus: [
          {
            name: 'main',
            slug: 'main',
            formerly: [],
            locations: [],
            tree: { items: [], problems: [] },
          },
        ],
        pages: [
          { path: '', frame: 'header' },
          { path: 'о-нама/тим', frame: null },
        ],
        variables: { a: 'base', b: 'docs', c: 'selection' },
      },
    ])
  })

  it('has no variables if none are described, and those of the later selection', async () => {
    const selection = (variables: object) => ({ match: { id: 2 }, variables })
    const { sites } = await resolveAll({ sites: [selection({}), { match: { id: 3 } }] })
    expect(sites.map(({ desired }) => desired.variables)).toEqual([undefined, undefined])
    const later = await resolveAll({ sites: [selection({ a: '1' }), selection({ a: '2' })] })
    expect(later.sites[0]?.desired.variables).toEqual({ a: '2' })
  })

  it('fills in variables in the documented fields, and in no other', async () => {
    const texts = { title: '{{ v }}', attr_title: '{{v}}', description: 'a {{ v }}' }
    const items = [
      { url: '/{{ v }}', classes: 'x {{ v }}', xfn: '{{ v }}', target: '{{ v }}', ...texts },
      { url: '{{ v }}', as_is: true },
      { page: '{{ v }}', title: '{{ "{{" }} v }}' },
    ]
    const { sites } = await resolveAll({
      bundles: {
        a: { menus: [menu('main', { name: 'Main {{ v }}', items })], pages: { v: null } },
      },
      sites: [2, 3].map((id) => ({
        match: { id },
        bundles: ['a'],
        variables: { v: `<${id}>`, other: '{{ v }}' },
      })),
    })
    for (const { site, desired } of sites) {
      const v = `<${site.blogId}>`
      const [filled] = desired.menus
      expect(filled?.name).toBe(`Main ${v}`)
      expect(filled?.tree.items).toEqual([
        {
          at: '0',
          parent: -1,
          url: `/${v}`,
          title: v,
          attr_title: v,
          description: `a ${v}`,
          classes: `x ${v}`,
          xfn: '{{ v }}',
          target: '{{ v }}',
        },
        { at: '1', parent: -1, object: { kind: 'address', url: v } },
        {
          at: '2',
          parent: -1,
          title: '{{ v }}',
          object: { kind: 'post', type: 'page', path: '{{ v }}' },
        },
      ])
    }
    expect(sites).toHaveLength(2)
  })

  it('shares frames, menus and lists among sites, except menus with other variables', async () => {
    const items = [{ url: '/a' }, { url: '/{{ v }}' }]
    const { sites } = await resolveAll({
      bundles: {
        a: { frames: [frame('x')] },
        b: { frames: [frame('y')], menus: [menu('one'), menu('two', { items })] },
      },
      sites: [
        { match: { id: [1, 2, 3] }, bundles: ['a', 'b'], variables: { v: '1', w: '1' } },
        { match: { id: 2 }, variables: { w: '2' } },
        { match: { id: 3 }, variables: { v: '3' } },
      ],
    })
    const [first, second, third] = sites.map(({ desired }) => desired)
    expect(second?.frames).toBe(first?.frames)
    expect(third?.frames).toBe(first?.frames)
    expect(third?.pages).toBe(first?.pages)
    expect(second?.menus[1]).toBe(first?.menus[1])
    expect(third?.menus[0]).toBe(first?.menus[0])
    expect(third?.menus[1]).not.toEqual(first?.menus[1])
    expect(third?.menus[1]?.tree.items[0]).toBe(first?.menus[1]?.tree.items[0])
  })
})

describe('a problem', () => {
  it.each<[string, object, string]>([
    [
      'of a slug',
      { frames: [frame('No slug')] },
      'bundles.a.frames.0: Invalid slug. Use lower-case letters',
    ],
    ['of a page', { pages: { x: 'No slug' } }, 'bundles.a.pages.0: Invalid slug.'],
    [
      'of markup',
      { frames: [{ slug: 'x', html: 'x'.repeat(2 * 1024 * 1024 + 1) }] },
      'bundles.a.frames.0: The markup has 2097153 bytes',
    ],
    [
      'of an item',
      { menus: [menu('m', { items: [{ page: 'x', url: 'y' }] })] },
      'bundles.a.menus.0: item 0: An item must have exactly one of',
    ],
    [
      'of a field of a menu',
      { menus: [menu('m', { extra: 1 })] },
      'bundles.a.menus.0: Unknown field "extra".',
    ],
    [
      'of a location',
      { menus: [menu('m', { locations: [{ location: 'side' }] })] },
      'bundles.a.menus.0: Unknown location "side". Expected: header,',
    ],
    ['of a menu slug', { menus: [menu('?')] }, 'bundles.a.menus.0: "?" cannot be the slug'],
    [
      'of a variable',
      { menus: [menu('m', { items: [{ url: '/', children: [{ url: '/', title: '{{ x }}' }] }] })] },
      'bundles.a.menus.0: item 0.0, title: The variable "x" is not defined. (site 2, net.test/shop)',
    ],
    [
      'of a name',
      { menus: [menu('m', { name: '{{ x }}' })], variables: { x: '' } },
      'bundles.a.menus.0: name: It must have between 1 and 200 characters. (site 2, net.test/shop)',
    ],
    [
      'of a long text',
      {
        menus: [menu('m', { items: [{ url: '/', title: '{{ x }}'.repeat(7) }] })],
        variables: { x: 'x'.repeat(10_000) },
      },
      'bundles.a.menus.0: item 0, title: With its variables, the text has more than 65535 bytes.',
    ],
    [
      'of a frame',
      { frames: [frame('x'), frame('x')] },
      'bundles.a: The frame "x" is described twice.',
    ],
    [
      'of a former slug',
      { frames: [frame('x'), frame('y', 'x')] },
      'bundles.a: The frame "x" is described twice.',
    ],
    [
      'of a menu',
      { menus: [menu('m'), menu('n', { formerly: ['M'] })] },
      'bundles.a: The menu "m" is described twice.',
    ],
    [
      'of a location with two menus',
      {
        menus: ['m', 'n'].map((slug) =>
          menu(slug, { locations: [{ location: 'header', lang: 'fr' }] }),
        ),
      },
      'bundles.a: The location header:fr is described twice.',
    ],
    [
      'of a page that is listed twice',
      { pages: { '/about': null, 'about/': null } },
      'bundles.a: The page "/about" is described twice.',
    ],
  ])('%s is reported with its position', async (_, bundle, expected) => {
    const [problem, ...others] = await problemsOf(resolveBundles({ a: bundle }))
    expect(problem?.slice(0, expected.length)).toBe(expected)
    expect(others).toEqual([])
  })

  it('of two bundles names both, and the first site that gets both', async () => {
    const bundles = { a: { frames: [frame('x')] }, b: { frames: [frame('x')] } }
    expect(await problemsOf(resolveBundles(bundles))).toEqual([
      'site 2, net.test/shop: The frame "x" is described in the bundles "a" and "b".',
    ])
    const apart = [2, 3].map((id) => ({ match: { id }, bundles: [id === 2 ? 'a' : 'b'] }))
    expect(idsOf(await resolveAll({ bundles, sites: apart }))).toEqual([2, 3])
  })

  it('of too many variables is reported for the site', async () => {
    const variables = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${prefix}${index}`, '']))
    const bundles = { a: { variables: variables('a') }, b: { variables: variables('b') } }
    expect(await problemsOf(resolveBundles(bundles, { match: { id: 2 } }))).toEqual([
      'site 2, net.test/shop: The site gets 120 variables; it can have at most 100.',
    ])
  })

  it('of a bundle that does not exist is reported', async () => {
    expect(await problemsOf(resolveBundles({}, { bundles: ['x'] }))).toEqual([
      'sites.0.bundles: There is no bundle "x".',
    ])
  })

  it('of menus that are nested too deeply does not exhaust the stack', async () => {
    const item = JSON.parse(`${'{"url":"/","children":['.repeat(50_000)}${']}'.repeat(50_000)}`)
    expect(
      await problemsOf(resolveBundles({ a: { menus: [menu('m', { items: [item] })] } })),
    ).toEqual([
      expect.stringMatching(
        /^bundles\.a\.menus\.0: item [0.]+: A menu may have at most 100 levels/,
      ),
    ])
  })
})
