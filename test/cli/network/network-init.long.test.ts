import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { networkFileSchema } from '../../../src/cli/network/network-file.ts'
import { readFolder } from '../../../src/cli/network/read-folder.ts'
import { writeFolder } from '../../../src/cli/network/write-folder.ts'
import { listFramePages } from '../../../src/content/frames/frame-pages.ts'
import { readFrames } from '../../../src/content/frames/read-frame.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { LOCATIONS } from '../../../src/content/menus/location-names.ts'
import { readPortableMenu } from '../../../src/content/menus/portable-menu.ts'
import { deleteMenu } from '../../../src/content/menus/write-menu.ts'
import { describeSite } from '../../../src/network/description/describe-site.ts'
import type { Description } from '../../../src/network/description/description.ts'
import type { DesiredSite } from '../../../src/network/description/desired-site.ts'
import { joinSites, type WholeBundle } from '../../../src/network/description/join-sites.ts'
import { resolveDescription } from '../../../src/network/description/resolve-description.ts'
import { menuName } from '../../../src/wordpress/formatting/menu-texts.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { findPostsByPath } from '../../../src/wordpress/pages/pages.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { commandsOn } from '../../support/cli.ts'
import { hostileText } from '../../support/hostile-text.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useFolder } from '../../support/use.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const network = await useTruth()
const base = await useFolder('init')
const fixtureOf = async (blogId: number) =>
  createSiteFixture(network.db, await network.site(blogId))
const [shop, docs, brand] = [await fixtureOf(2), await fixtureOf(3), await fixtureOf(4)]

let folders = 0
const newFolder = (): string => {
  folders += 1
  return join(base, `network-${folders}`)
}

const { run } = commandsOn(network)
const init = (folder: string, ...args: string[]) => run('init', folder, ...args)

/** What the description in a folder wants of each site, by blog id. */
async function desiredIn(folder: string): Promise<Map<number, DesiredSite>> {
  const { db, globals } = network
  const { sites, warnings } = await resolveDescription(
    db,
    globals,
    (await readFolder(folder)).description,
  )
  expect(warnings).toEqual([])
  return new Map(sites.map(({ site, desired }) => [site.blogId, desired]))
}

/** What a site has, read without the description; menus with items that visitors do not see are not described. */
async function currentState(site: Site) {
  const { db } = network
  const registry = await readRegistry(db, site)
  const frames = await readFrames(db, site, registry.all())
  const links = await readLinkSettings(db, site)
  const menus = await listMenus(db, site)
  const pages = await listFramePages(db, site)
  return {
    frames: bySlug(frames.map(({ record: { slug, html } }) => ({ slug, html }))),
    menus: bySlug(
      await Promise.all(
        menus.map(async (menu) => {
          const { leftOut, assignments, ...rest } = await readPortableMenu(db, site, links, menu)
          if (leftOut.length > 0) return []
          const locations = assignments.filter(({ location }) =>
            LOCATIONS.some((one) => one === location),
          )
          return [{ ...rest, locations }]
        }),
      ).then((described) => described.flat()),
    ),
    pages: Object.fromEntries(
      [...pages].flatMap(([id, pageIds]) =>
        pageIds.map((pageId) => [pageId, registry.find(id)?.slug]),
      ),
    ),
  }
}

/** What a description wants, in the same form: pages by id. */
async function wantedState(site: Site, desired: DesiredSite | undefined) {
  const { db } = network
  const { languages, front } = await readLinkSettings(db, site)
  const paths = (desired?.pages ?? []).map(({ path }) => ({ type: 'page', path }))
  const found = await findPostsByPath(db, site, languages, paths)
  const pages = (desired?.pages ?? []).map(({ path, lang, frame }, index) => {
    const fronts = [front.page, ...front.translations.values()].flatMap((page) => page ?? [])
    const candidates = path === '' ? fronts : (found[index]?.found ?? [])
    const ids = candidates
      .filter((page) => lang === undefined || page.lang === lang)
      .map(({ id }) => id)
    return [[...new Set(ids)].join(), frame]
  })
  return {
    frames: bySlug((desired?.frames ?? []).map(({ slug, html }) => ({ slug, html }))),
    menus: bySlug(
      (desired?.menus ?? []).map(({ tree, formerly, ...rest }) => ({ ...rest, items: tree.items })),
    ),
    pages: Object.fromEntries(pages),
  }
}

const bySlug = <T extends { readonly slug: string }>(things: readonly T[]): T[] =>
  [...things].sort((a, b) => (a.slug < b.slug ? -1 : 1))

/** A description in a form that does not depend on the order of files. */
const sorted = ({ bundles, ...description }: Description) => ({
  ...description,
  bundles: Object.entries(bundles).map(([name, { frames, menus, ...bundle }]) => {
    return { name, ...bundle, frames: bySlug(frames), menus: bySlug(menus) }
  }),
})

async function expectCurrent(folder: string, sites: readonly Site[]): Promise<void> {
  const desired = await desiredIn(folder)
  expect([...desired.keys()]).toEqual(sites.map(({ blogId }) => blogId))
  for (const site of sites)
    expect(await wantedState(site, desired.get(site.blogId))).toEqual(await currentState(site))
}

describe('init', () => {
  it('describes what sites have, what they share in one bundle', async () => {
    await shop.frame('header', '<p>Header</p>')
    await shop.frame('footer', '<p>Shop</p>')
    await docs.frame('header', '<p>Header</p>')
    await docs.frame('footer', '<p>Docs {{ x }}</p>')
    await brand.frame('header', '<p>Header</p>')
    const { id = 0, translations } = (await readLinkSettings(network.db, shop.site)).front
    const team = await shop.page({ slug: 'team-of-init', parent: id })
    await shop.assign(
      'header',
      [...translations.values()].map(({ id: front }) => front),
    )
    await shop.assign('footer', [team])
    await docs.assign('header', [await docs.page({ slug: 'shared-page' })])
    for (const site of [shop, docs, brand]) {
      await site.menu({ name: 'Same', items: [{ url: '/x', title: 'To {{ x }}' }] })
      await site.setOption('svc_data_variables', `{"phone":"1","site":"${site.site.blogId}"}`)
    }
    const folder = newFolder()
    const { code, stdout, stderr } = await init(folder, '--from', '2,net.test/docs, 4')
    expect(code).toBe(0)
    expect(stderr).toMatch(/: the menu "footer" is left out: visitors do not see its items /)
    expect(stdout).toMatch(/^shared: 1 frame, 1 menu, 0 pages\nsite-2: 1 frame, /)
    await expectCurrent(folder, [shop.site, docs.site, brand.site])
    const desired = await desiredIn(folder)
    expect([...desired.values()].map(({ manages, variables }) => ({ manages, variables }))).toEqual(
      [2, 3, 4].map((site) => ({
        manages: 'named',
        variables: { phone: '1', site: String(site) },
      })),
    )
    expect((await readdir(join(folder, 'shared/menus'))).length).toBe(1)
    expect(await readFile(join(folder, 'site-3/frames/footer.html'), 'utf8')).toContain('{{ x }}')
    const text = await readFile(join(folder, 'network.yaml'), 'utf8')
    expect(text).toMatch(/^# yaml-language-server: \$schema=network\.schema\.json\nversion: 1\n/)
    const schema = JSON.parse(await readFile(join(folder, 'network.schema.json'), 'utf8'))
    expect(JSON.stringify(schema)).toBe(JSON.stringify(JSON.parse(networkFileSchema())))
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)
    expect([validate(parse(text)), validate.errors]).toEqual([true, null])
  })

  it('describes any contents of two sites as they are', async () => {
    const text = fc
      .array(fc.oneof(hostileText(), fc.constantFrom('{{', '{{ x }}', '{{ "{{" }}', '}}')))
      .map((parts) => parts.join(''))
    const title = text.filter((value) => menuName(value) !== '')
    const menu = fc.record({ name: title, items: fc.array(text, { maxLength: 3 }) })
    const html = fc.oneof(text, fc.string())
    const frames = fc.dictionary(fc.constantFrom('a', 'con', 'b-2', 'x__y--z'), html)
    const contents = fc.record({ frames, menus: fc.array(menu, { maxLength: 2 }) })
    const sites = [docs.site, brand.site]
    await fc.assert(
      fc.asyncProperty(contents, contents, fc.boolean(), async (one, other, isEqual) => {
        for (const [fixture, { frames: wanted, menus }] of [
          [docs, one],
          [brand, isEqual ? one : other],
        ] as const) {
          await fixture.replaceFrames(
            Object.entries(wanted).map(([slug, markup], index) => ({
              id: String(index).padStart(16, '0'),
              slug,
              html: markup,
            })),
          )
          await removeMenus(fixture.site)
          for (const { name, items } of menus)
            await fixture.menu({ name, items: items.map((item) => ({ url: '/x', title: item })) })
        }
        const folder = newFolder()
        const bundles = new Map<number, WholeBundle>()
        for (const site of sites)
          bundles.set(site.blogId, (await describeSite(network.db, site)).bundle)
        const description = joinSites('any', bundles)
        await writeFolder(folder, description)
        expect(sorted((await readFolder(folder)).description)).toEqual(sorted(description))
        const current = await Promise.all(sites.map(currentState))
        const desired = await desiredIn(folder)
        for (const [index, site] of sites.entries()) {
          const { frames: found, menus: foundMenus } = await wantedState(
            site,
            desired.get(site.blogId),
          )
          expect([found, foundMenus]).toEqual([current[index]?.frames, current[index]?.menus])
        }
      }),
      { numRuns: 20 },
    )
  })

  it('writes to a folder that is not empty only with --force, and removes its former frames', async () => {
    const folder = newFolder()
    await mkdir(join(folder, 'shared/frames'), { recursive: true })
    const files = ['shared/frames/former.html', 'shared/notes.md', 'README.md']
    for (const file of files) await writeFile(join(folder, file), '')
    const refused = await init(folder, '--from', '3')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is not empty/)])
    expect((await readdir(folder)).sort()).toEqual(['README.md', 'shared'])
    expect(await init(folder, '--from', '3', '--force')).toMatchObject({ code: 0 })
    expect((await readFolder(folder)).description.sites).toEqual([
      { match: { id: [3] }, bundles: ['shared'], variables: {} },
    ])
    expect(await readdir(join(folder, 'shared/frames'))).not.toContain('former.html')
    expect(await readdir(join(folder, 'shared'))).toContain('notes.md')
  })

  it.each([
    [['--from', 'x y'], 2, /id of the site/],
    [['--from', '99'], 1, /no site with the id 99/],
    [['--from', '2', '--name', 'My shops'], 2, /lower-case/],
    [[], 2, /--from/],
  ])('rejects %j', async (args, code, message) => {
    const folder = newFolder()
    const result = await init(folder, ...args)
    expect([result.code, result.stderr]).toEqual([code, expect.stringMatching(message)])
    expect(await readdir(base)).not.toContain(folder.slice(base.length + 1))
  })
})

/** Deletes all menus of a site. */
async function removeMenus(site: Site): Promise<void> {
  const { db } = network
  const { languages } = await readLinkSettings(db, site)
  for (const { id } of await listMenus(db, site))
    await db.write({}, (tx) => deleteMenu(tx, site, languages, { ref: String(id) }))
}
