import { beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../src/host/errors.ts'
import { readLanguages } from '../../../src/wordpress/languages/languages.ts'
import {
  findPages,
  getPage,
  isShownIn,
  listFirstPages,
  listPages,
} from '../../../src/wordpress/pages/pages.ts'
import { useNetwork } from '../../support/network.ts'
import { NO_TEXTS } from '../../support/site-fixture.ts'
import { statementsOf } from '../../support/statements.ts'

const network = await useNetwork()
const site = await network.site(2)
const languages = await readLanguages(network.db, site)
await addPages([
  // A top-level page with the slug of other pages' children.
  { ID: 900, post_name: 'team', post_parent: 0 },
  // Slugs of digits, which imports create.
  { ID: 901, post_name: '2024', post_parent: 0 },
  { ID: 902, post_name: '12', post_parent: 0 },
  { ID: 903, post_name: '2024-2', post_parent: 0 },
  // Two drafts with one path, and two pages of two languages (Polylang Pro).
  { ID: 904, post_name: 'idea', post_parent: 0, post_status: 'draft' },
  { ID: 905, post_name: 'idea', post_parent: 0, post_status: 'draft' },
  { ID: 906, post_name: 'contact', post_parent: 0 },
  { ID: 907, post_name: 'contact', post_parent: 0 },
  // Below a page without a slug, and in a cycle of parents.
  { ID: 908, post_name: '', post_parent: 0, post_status: 'draft' },
  { ID: 909, post_name: 'below-draft', post_parent: 908 },
  { ID: 910, post_name: 'circle-a', post_parent: 911 },
  { ID: 911, post_name: 'circle-b', post_parent: 910 },
  { ID: 912, post_name: 'self', post_parent: 912 },
  // Not pages.
  { ID: 913, post_name: 'picture', post_type: 'attachment', post_status: 'inherit' },
  { ID: 914, post_name: 'never-saved', post_status: 'auto-draft' },
  { ID: 915, post_name: 'тест', post_parent: 0 },
])
await network.db.sql(site.tables.termRelationships).insert([
  { object_id: 906, term_taxonomy_id: 2 },
  { object_id: 907, term_taxonomy_id: 5 },
])

async function addPages(rows: Record<string, string | number>[]): Promise<void> {
  await network.db.sql(site.tables.posts).insert(
    rows.map((row) => ({
      ...NO_TEXTS,
      post_type: 'page',
      post_status: 'publish',
      post_parent: 0,
      post_title: `Page ${row.ID}`,
      ...row,
    })),
  )
}

const get = (ref: string | number) => getPage(network.db, site, languages, ref)

const refusal = async (ref: string | number): Promise<AppError> => {
  const error: unknown = await get(ref).catch((thrown: unknown) => thrown)
  if (error instanceof AppError) return error
  throw new Error(`"${ref}" names a page`)
}

it.each([
  ['names', `${'/'.repeat(100)}about-us`],
  ['characters', `${'!'.repeat(4096)}about-us`],
])(
  'a path longer than that of any page matches no page, even if its end would: %s',
  async (_, path) => {
    expect((await get('/about-us')).id).toBe(7)
    expect((await refusal(path)).code).toBe('page_not_found')
  },
)

describe('getPage', () => {
  it.each([
    ['its id', 10, 10],
    ['its id as a text', '10', 10],
    ['its id before the slug of another page', '12', 12],
    ['its slug', 'about-us', 7],
    ['its slug, in capitals', 'About-Us', 7],
    ['the slug of a child', 'equipe', 11],
    ['its path', 'products/overview', 17],
    ['its path with slashes', '/services/overview/', 18],
    ['its slug with slashes', '/about-us/', 7],
    ['an encoded slug', '%d8%a7%d9%84%d8%b1%d8%a6%d9%8a%d8%b3%d9%8a%d8%a9', 6],
    ['a slug encoded in capitals', '%D8%A7%D9%84%D8%B1%D8%A6%D9%8A%D8%B3%D9%8A%D8%A9', 6],
    ['a decoded slug', 'الرئيسية', 6],
    ['the slug of a draft', 'future-page', 21],
    ['the id of a page in the trash', 23, 23],
    ['a full path, although other pages have the slug', 'team', 900],
    ['a slug of digits that is no id', '2024', 901],
    ['a slug that begins with digits', '2024-2', 903],
    ['a path below a page without a slug', 'below-draft', 909],
    ['a slug in a cycle of parents', 'circle-a', 910],
    ['a page that is its own parent', 'self', 912],
  ])('finds a page by %s', async (_, ref, id) => {
    expect((await get(ref)).id).toBe(id)
  })

  it.each([
    ['an id that is no page', 24],
    ['an id beyond all', '99999999999999999999'],
    ['zero', 0],
    ['nothing', ''],
    ['slashes', '///'],
    ['a part of a path', 'services/team'],
    ['a path with an extra prefix', 'fr/services/overview'],
    ['the slug of a page in the trash', 'trashed-page'],
    ['the slug that the trash gave it', 'trashed-page__trashed'],
    ['the slug of an attachment', 'picture'],
    ['the slug of a page never saved', 'never-saved'],
    ['a pattern', '%'],
    ['a slug that is equal only by the collation', 'äbout-us'],
  ])('finds none by %s', async (_, ref) => {
    expect((await refusal(ref)).code).toBe('page_not_found')
  })

  it('lists the candidates of a slug that several pages have', async () => {
    const error = await refusal('overview')
    expect(error.code).toBe('ambiguous_page')
    expect(error.fields).toEqual({
      candidates: [
        { id: 17, path: 'products/overview', lang: 'en', status: 'publish' },
        { id: 18, path: 'services/overview', lang: 'en', status: 'publish' },
      ],
    })
  })

  it.each([
    [
      'drafts',
      'idea',
      [
        { lang: null, status: 'draft' },
        { lang: null, status: 'draft' },
      ],
    ],
    [
      'languages',
      'contact',
      [
        { lang: 'en', status: 'publish' },
        { lang: 'fr', status: 'publish' },
      ],
    ],
  ])('does not choose between %s with one path', async (_, ref, candidates) => {
    const { code, fields } = await refusal(ref)
    expect(code).toBe('ambiguous_page')
    expect(fields).toMatchObject({ candidates })
  })
})

describe('findPages', () => {
  it('resolves any number of references, in order, with one statement and one for the ancestors', async () => {
    const refs = [7, 'about-us', 'overview', 'nobody', 'services/overview', '7']
    const many = Array.from({ length: 10_000 }, (_, index) => refs[index % refs.length] ?? '')
    let matches: Awaited<ReturnType<typeof findPages>> = []
    const statements = await statementsOf(network.db, async () => {
      matches = await findPages(network.db, site, languages, many)
    })
    expect(statements).toHaveLength(2)
    expect(matches).toHaveLength(10_000)
    expect(matches.slice(0, 6).map((pages) => pages.map(({ id }) => id))).toEqual([
      [7],
      [7],
      [17, 18],
      [],
      [18],
      [7],
    ])
    expect(matches[9_999]).toEqual(matches[9_999 % 6])
  })

  it('runs no statement without references', async () => {
    expect(await findPages(network.db, site, languages, [])).toEqual([])
  })
})

describe('listFirstPages', () => {
  // By mistake a page has two languages.
  beforeAll(() =>
    network.db.sql(site.tables.termRelationships).insert([
      { object_id: 901, term_taxonomy_id: 2 },
      { object_id: 901, term_taxonomy_id: 5 },
    ]),
  )

  it.each([null, 'en', 'fr', 'de'])(
    'lists what all pages in the language %s begin with',
    async (lang) => {
      const all = (await listPages(network.db, site, languages, { inMenuOrder: true }))
        .filter((page) => isShownIn(page, lang))
        .map(({ id }) => id)
      for (let limit = 1; limit <= all.length + 1; limit += 1) {
        const first = await listFirstPages(network.db, site, languages, lang, limit)
        expect(first.map(({ id }) => id)).toEqual(all.slice(0, limit))
      }
    },
  )
})
