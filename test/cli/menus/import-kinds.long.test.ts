import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRun } from '../../../src/network/plan/runs-table.ts'
import { runCommand } from '../../support/cli.ts'
import { useMenusCli } from '../../support/menus-cli.ts'
import { runsOf } from '../../support/runs-of.ts'

const cli = await useMenusCli()
const shop = await cli.network.site(2)

const importInto = async (site: number, content: object, ...args: string[]) =>
  cli.json(0, 'import', await cli.file(content), '--site', String(site), ...args)

/** What an import prints that has nothing to do. */
const UNCHANGED = { unchanged: 1, steps: 0, plans: [] }

/** Creates a term of the shop, optionally in a language. Returns its id. */
async function addTerm(slug: string, parent = 0, lang?: string): Promise<number> {
  const { terms, termTaxonomy, termRelationships } = shop.tables
  const { sql } = cli.network.db
  const [id = 0] = await sql(terms).insert({ name: slug, slug })
  await sql(termTaxonomy).insert({ term_id: id, taxonomy: 'category', parent, description: '' })
  if (lang !== undefined) {
    const language = await sql({ t: terms })
      .join({ tt: termTaxonomy }, 'tt.term_id', 't.term_id')
      .where({ 't.slug': `pll_${lang}`, 'tt.taxonomy': 'term_language' })
      .first('tt.term_taxonomy_id')
    await sql(termRelationships).insert({ object_id: id, ...language })
  }
  return id
}

/** Links terms as translations of each other. */
async function linkTerms(ids: Readonly<Record<string, number>>): Promise<void> {
  const { terms, termTaxonomy, termRelationships } = shop.tables
  const { sql } = cli.network.db
  const entries = Object.entries(ids).map(([lang, id]) => `s:${lang.length}:"${lang}";i:${id};`)
  const description = `a:${entries.length}:{${entries.join('')}}`
  const [group = 0] = await sql(terms).insert({ name: 'pll_group', slug: 'pll_group' })
  const [tt = 0] = await sql(termTaxonomy).insert({
    term_id: group,
    taxonomy: 'term_translations',
    description,
  })
  const relations = Object.values(ids).map((id) => ({ object_id: id, term_taxonomy_id: tt }))
  await sql(termRelationships).insert(relations)
}

describe('items of all kinds', () => {
  it('are written and read back unchanged', async () => {
    await cli.addPost(shop, { slug: 'news-1', type: 'post' })
    await cli.addPost(shop, { slug: 'chair', type: 'product' })
    await cli.addPost(shop, { slug: '2024' })
    const parent = await addTerm('furniture')
    const child = await addTerm('chairs', parent)
    const items = [
      { post: 'news-1', type: 'post' },
      { post: 'chair', type: 'product', title: 'A chair' },
      { page: '2024' },
      { page: 'الرئيسية' },
      { term: 'furniture/chairs', taxonomy: 'category', attr_title: 'All of them' },
      { archive: 'product', title: 'Products', xfn: 'me' },
      { switcher: ['show_flags', 'dropdown'] },
      { switcher: [] },
    ]
    await importInto(2, { name: 'Kinds', items })
    expect((await cli.exported('kinds', 2)).items).toEqual(items)
    const [post, product, year, , term, archive, switcher] = await cli.itemsOf('kinds', shop)
    expect([post, product, year].map((item) => item?.object)).toEqual(['post', 'product', 'page'])
    expect(term).toMatchObject({ type: 'taxonomy', objectId: child, title: 'chairs', valid: true })
    expect(archive).toMatchObject({ type: 'post_type_archive', object: 'product', xfn: 'me' })
    expect(Object.fromEntries(switcher?.switcher ?? [])).toEqual({
      hide_if_no_translation: 0,
      hide_current: 0,
      force_home: 0,
      show_flags: 1,
      show_names: 0,
      dropdown: 1,
    })
    expect(await importInto(2, { name: 'Kinds', items })).toMatchObject(UNCHANGED)
    const row = await cli.network.db.sql(shop.tables.posts).where({ ID: term?.id }).first()
    expect(row.post_parent).toBe(parent)
  })

  it('link to the page of their language if languages share a path', async () => {
    const { sql } = cli.network.db
    const ids = { en: 13, fr: 14 }
    await sql(shop.tables.posts).where({ ID: ids.fr }).update({ post_name: 'legal' })
    const items = [
      { page: 'legal', lang: 'fr' },
      { page: 'legal', lang: 'en' },
    ]
    await importInto(2, { name: 'Shared', items })
    expect((await cli.itemsOf('shared', shop)).map(({ page }) => page)).toEqual([ids.fr, ids.en])
    expect((await cli.exported('shared', 2)).items).toEqual(items)
    const file = await cli.file({ name: 'Shared', items: ['legal'] })
    const { stdout } = await cli.run('import', file, '--site', '2', '--replace')
    expect(stdout).toContain('2 objects match the page "legal" (languages: en, fr).')
    await sql(shop.tables.posts).where({ ID: ids.fr }).update({ post_name: 'mentions-legales' })
  })
})

describe('--lang', () => {
  it('links to the translations, and assigns the menu in this language', async () => {
    const [en, fr] = [await addTerm('offers', 0, 'en'), await addTerm('offres', 0, 'fr')]
    await linkTerms({ en, fr })
    const items = [
      { page: 'about-us', title: 'Us', children: [{ page: 'about-us/team' }] },
      { page: 'accueil' },
      { page: 'sample-page' },
      { term: 'offers', taxonomy: 'category' },
      { url: '/x', title: 'X' },
    ]
    const locations = [{ location: 'footer_3', lang: 'en' }]
    const args = ['--lang', 'fr', '--slug', 'translated', '--name', 'Traduit', '--assign']
    await importInto(2, { name: 'Any', slug: 'any', items, locations }, ...args)
    expect(await cli.exported('translated', 2)).toMatchObject({
      name: 'Traduit',
      locations: [{ location: 'footer_3', lang: 'fr' }],
    })
    expect((await cli.exported('translated', 2)).items).toEqual([
      { page: 'a-propos', title: 'Us', children: [{ page: 'a-propos/equipe' }] },
      { page: 'accueil' },
      { page: 'sample-page' },
      { term: 'offres', taxonomy: 'category' },
      { url: '/x', title: 'X' },
    ])
    expect(await importInto(2, { name: 'Any', items, locations }, ...args)).toMatchObject(UNCHANGED)
  })

  it('reports missing translations and unknown languages', async () => {
    const file = await cli.file({ name: 'Any', items: ['products', 'about-us'] })
    const german = await cli.run('import', file, '--site', '2', '--lang', 'de')
    expect([german.code, german.stdout]).toEqual([
      1,
      expect.stringContaining(
        '.yaml, line 1, item 0: The page "products" has no translation into "de".\n',
      ),
    ])
    const { stdout } = await cli.run('import', file, '--site', '3', '--lang', 'de')
    expect(stdout).toContain('Language de: Polylang is not active on this site')
  })
})

describe('an import into all sites', () => {
  it('continues after a site that fails, and prints a table', async () => {
    const file = await cli.file({ name: 'All', items: ['sample-page', 'guide'] })
    const { code, stdout, stderr } = await cli.run('import', file, '--network')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^3 sites not applied\. /)])
    expect(stdout).toMatch(/^net\.test\/docs \(site 3\): applied\n {2}\+ menu all \(created\)$/m)
    expect(stdout).toMatch(
      /^brand\.test \(site 4\): blocked\n {2}menu all: \S+, line 1, item 1: This site has no page "guide"/m,
    )
    // The next import is a run of its own, so this one is over.
    const [, id = ''] = /, run (\S+):/m.exec(stdout) ?? []
    expect(await findRun(cli.network.db, cli.network.globals, id)).toMatchObject({ state: 'done' })
  })

  it('reads the file before the first site', async () => {
    const file = await cli.file('name: All\nitem: []\n')
    const { code, stdout, stderr } = await cli.run('import', file, '--network')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^\S+, line 2: Unknown field "item"\..*\n1 problem in the file\.\n$/)
  })
})

describe('the input', () => {
  it('is standard input for -', async () => {
    const args = ['menus', 'import', '-', '--site', '2']
    const { stdout } = await runCommand(args, cli.env, '{"name": "Piped", "items": ["home"]}')
    expect(stdout).toContain('+ menu piped (created)\n')
  })

  it.each([
    ['nothing.yaml', 'nothing.yaml cannot be read: it does not exist.\n'],
    ['test', 'test cannot be read: it is a folder.\n'],
  ])('is rejected if it is not a file: %s', async (file, message) => {
    const { code, stderr } = await cli.run('import', file, '--site', '2')
    expect([code, stderr]).toEqual([1, message])
  })

  it('is rejected if it is too large', async () => {
    const file = await cli.file(`name: x\n${'#\n'.repeat(5_000_000)}`)
    const { code, stderr } = await cli.run('import', file, '--site', '2')
    expect(code).toBe(1)
    expect(stderr).toContain('too large for a menu')
  })

  it.each([
    [[]],
    [['x.yaml']],
    [['x.yaml', '--site', '2', '--network']],
    [['x.yaml', '--site', '2', '--location', 'a b']],
  ])('is wrong usage: %j', async (args) => {
    expect(await cli.run('import', ...args)).toMatchObject({ code: 2, stdout: '' })
  })
})

it('any menu is exported unchanged after its import', async () => {
  const link = fc.oneof(
    fc
      .constantFrom('home', 'about-us/team', 'products/overview', 'services/overview')
      .map((page) => ({ page })),
    fc.webPath().map((path) => ({ url: `/${path}` })),
    fc.webUrl().map((url) => ({ url })),
    fc.constant({ url: '/on/the/host', as_is: true }),
    fc.constant({ term: 'uncategorized', taxonomy: 'category' }),
  )
  const texts = fc.string({ maxLength: 20 })
  const { item } = fc.letrec((tie) => ({
    item: fc
      .tuple(
        link,
        fc.record({ title: texts, classes: texts, description: texts }, { requiredKeys: [] }),
        fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie('item'), { maxLength: 3 })),
      )
      .map(([linked, fields, children]) => ({ ...linked, ...fields, children })),
  }))
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 4 }), async (items) => {
      await importInto(2, { name: 'One', items }, '--replace')
      const one = await cli.exported('one', 2)
      await importInto(2, { ...one, slug: 'two' }, '--replace')
      expect((await cli.exported('two', 2)).items).toEqual(one.items)
      expect(await importInto(2, one)).toMatchObject(UNCHANGED)
    }),
    { numRuns: runsOf(8) },
  )
})
