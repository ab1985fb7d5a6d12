import fc from 'fast-check'
import { encodePhp, type PhpInput, setValue } from '#php-serialized'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { setOption, type TestNetwork } from '../../support/network.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { NO_TEXTS } from '../../support/site-fixture.ts'

/** On site 1, pages may have the name of another site's folder; site 2 has four languages; site 4 gets a home of its own. */
export const SITES = [1, 2, 4]
/** Id of the first test page; the others follow. */
export const FIRST_ID = 5000

export const linkChoices = fc.record({
  blogId: fc.constantFrom(...SITES),
  structure: fc.constantFrom(
    '/%postname%/',
    '/%postname%/',
    '/blog/%postname%',
    '/index.php/%postname%/',
    '',
  ),
  /** Position of the front page. */
  front: fc.option(fc.nat(24)),
  /** Polylang's `force_lang`: in the content, path, subdomain or domain. */
  forceLang: fc.constantFrom(0, 1, 2, 3, 3, 3),
  hideDefault: fc.nat(1),
  redirectLang: fc.nat(1),
  french: fc.constantFrom(
    'http://laden.fr',
    'http://laden.fr/shop',
    'http://net.test',
    'http://mapped.test',
  ),
  /** The domain that site 4 claims for its own French pages. */
  rival: fc.option(fc.constant('http://laden.fr'), { freq: 1 }),
  home: fc.constantFrom(
    'http://brand.test',
    'http://brand.test',
    'http://mapped.test',
    'http://brand.test/four',
  ),
})

const slug = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('shop', 'fr', 'index.php', 'Team', 'team', '') },
  { weight: 2, arbitrary: fc.nat(40).map((number) => `about-${number}`) },
)
const status = fc.oneof(
  { weight: 6, arbitrary: fc.constant('publish') },
  { weight: 1, arbitrary: fc.constantFrom('draft', 'private', 'trash', 'auto-draft', 'future') },
)

const testPage = fc.record({
  post_name: slug,
  /** Position of the parent; cycles are allowed. */
  parent: fc.option(fc.nat(24)),
  post_status: status,
  post_password: fc.constantFrom('', '', '', '', '', '', 'secret'),
  post_type: fc.constantFrom('page', 'page', 'page', 'page', 'page', 'page', 'post'),
  lang: fc.option(fc.constantFrom('en', 'fr', 'de', 'ar')),
  /** Pages of a group are translations of each other. */
  group: fc.option(fc.nat(3)),
  /** Slugs of the frames that the page is bound to: of several, the first is valid. */
  frames: fc.constantFrom<readonly string[]>(
    ['page'],
    ['page'],
    ['page'],
    ['other'],
    ['other', 'page'],
    ['missing'],
    [],
  ),
})

/** Trees of pages. */
export const testPages = fc.array(testPage, { minLength: 1, maxLength: 25, size: 'max' })

/** Settings of a site and of the hosts that sites claim. */
export type LinkChoices = typeof linkChoices extends fc.Arbitrary<infer T> ? T : never
export type TestPage = typeof testPage extends fc.Arbitrary<infer T> ? T : never

async function setPolylang(
  network: TestNetwork,
  blogId: number,
  values: Readonly<Record<string, PhpInput>>,
): Promise<void> {
  const site = await network.site(blogId)
  let polylang = (await readOption(network.db, site, 'polylang')) ?? encodePhp(new Map())
  for (const [key, value] of Object.entries(values))
    polylang = setValue(polylang, [key], encodePhp(value))
  await setOption(network, blogId, 'polylang', polylang)
}

/** Writes the choices into the options of the site, and of the sites whose hosts matter. */
export async function applyChoices(
  network: TestNetwork,
  site: Site,
  of: LinkChoices,
): Promise<void> {
  const options = {
    permalink_structure: of.structure,
    show_on_front: of.front === null ? 'posts' : 'page',
    page_on_front: String(FIRST_ID + (of.front ?? 0)),
  }
  for (const [name, value] of Object.entries(options))
    await setOption(network, site.blogId, name, value)
  await setOption(network, 4, 'home', of.home)
  await setPolylang(network, 2, {
    force_lang: of.forceLang,
    hide_default: of.hideDefault,
    redirect_lang: of.redirectLang,
    domains: new Map([
      ['en', 'http://net.test/shop'],
      ['fr', of.french],
    ]),
  })
  await setPolylang(network, 4, {
    force_lang: 3,
    default_lang: 'en',
    domains: new Map(of.rival === null ? [] : [['fr', of.rival]]),
  })
}

/**
 * Writes test pages with their languages, translations and frames, in place of those of the last run.
 * @param frameIds by slug; a frame without an id is one that does not exist
 */
export async function replacePages(
  { sql }: SqlDatabase,
  site: Site,
  pages: readonly TestPage[],
  frameIds: ReadonlyMap<string, string>,
): Promise<void> {
  const { posts, postmeta, termRelationships, termTaxonomy, terms } = site.tables
  await sql(posts).where('ID', '>=', FIRST_ID).delete()
  await sql(postmeta).where('post_id', '>=', FIRST_ID).delete()
  await sql(termRelationships).where('object_id', '>=', FIRST_ID).delete()
  await sql(termTaxonomy).where('term_id', '>=', FIRST_ID).delete()
  await sql(terms).where('term_id', '>=', FIRST_ID).delete()
  const idAt = (at: number): number => FIRST_ID + at
  await sql(posts).insert(
    pages.map(({ post_name, parent, post_status, post_password, post_type }, at) => ({
      ...NO_TEXTS,
      ID: idAt(at),
      post_name,
      post_status,
      post_password,
      post_type,
      post_title: `Page ${at}`,
      post_parent: parent === null ? 0 : idAt(parent),
      post_content: `<!-- wp:paragraph --><p>text ${at}</p><!-- /wp:paragraph -->`,
      post_excerpt: `excerpt ${at}`,
    })),
  )
  const metas = pages.flatMap(({ frames }, at) =>
    frames.map((frame) => ({
      post_id: idAt(at),
      meta_key: '_svc_frame',
      meta_value: frameIds.get(frame) ?? '0123456789abcdef',
    })),
  )
  if (metas.length > 0) await sql(postmeta).insert(metas)
  const stored: { slug: string; id: number }[] = await sql(termTaxonomy)
    .join(terms, `${terms}.term_id`, `${termTaxonomy}.term_id`)
    .where({ taxonomy: 'language' })
    .select(`${terms}.slug`, { id: 'term_taxonomy_id' })
  const languageIds = new Map(stored.map(({ slug, id }) => [slug, id]))
  const groups = new Map<number, Map<string, number>>()
  const relationships: { object_id: number; term_taxonomy_id: number }[] = []
  for (const [at, { lang, group }] of pages.entries()) {
    const id = lang === null ? undefined : languageIds.get(lang)
    if (lang === null || id === undefined) continue
    relationships.push({ object_id: idAt(at), term_taxonomy_id: id })
    if (group === null) continue
    relationships.push({ object_id: idAt(at), term_taxonomy_id: FIRST_ID + group })
    groups.set(group, (groups.get(group) ?? new Map()).set(lang, idAt(at)))
  }
  for (const [group, translations] of groups) {
    const term_id = FIRST_ID + group
    await sql(terms).insert({ term_id, name: `pll_${group}`, slug: `pll_${group}` })
    const description = encodePhp(translations)
    const row = { term_taxonomy_id: term_id, term_id, taxonomy: 'post_translations', description }
    await sql(termTaxonomy).insert(row)
  }
  if (relationships.length > 0) await sql(termRelationships).insert(relationships)
}
