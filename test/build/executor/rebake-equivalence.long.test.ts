import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bakedOption } from '../../../src/content/frames/option-names.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { runsOf } from '../../support/runs-of.ts'
import { useExecutorFixture } from './executor-fixture.ts'

const SETTINGS = ['blogname', 'permalink_structure', 'page_on_front']

const shop = await useExecutorFixture()
const { options, posts, terms } = shop.site.tables
const { sql } = shop.network.db
const initial = {
  options: await sql(options).whereIn('option_name', [...SETTINGS, 'svc_data_news']),
  posts: await sql(posts),
  terms: await sql(terms),
}

/** Reverts the edits of earlier runs. */
async function restore(): Promise<void> {
  const { sql } = shop.network.db
  await sql(shop.site.tables.options).where({ option_name: 'svc_data_news' }).delete()
  for (const name of ['options', 'posts', 'terms'] as const) {
    const rows = [...initial[name]]
    await sql(shop.site.tables[name]).insert(rows).onConflict().merge()
  }
}

const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f']
const slug = fc.constantFrom(...SLUGS)

const part = fc.oneof(
  { weight: 2, arbitrary: slug.map((name) => `<!-- svc/frame {"name":"${name}"} /-->`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '<p>text</p>',
      '<!-- svc/menu {"location":"header"} /-->',
      '<!-- svc/menu {"location":"footer_1","lang":"fr","current":true} /-->',
      '<!-- svc/menu {"menu":"deep","depth":2} /-->',
      '<!-- svc/data {"source":"settings.blogname"} /-->',
      '<i data-op-bind="href:site.url; site.title">x</i>',
      '<i data-op-bind="lang:site.lang">x</i>',
      '<!-- svc/data {"source":"dataset.news.title"} /-->',
      '<!-- svc/repeat {"source":"pages"} --><a data-op-bind="href:item.url; item.title"></a><!-- /svc/repeat -->',
      '<!-- svc/repeat {"source":"languages"} --><a data-op-bind="href:item.url; item.name"></a><!-- /svc/repeat -->',
      '<!-- svc/repeat {"source":"menu.header"} --><b data-op-bind="item.title"></b><!-- /svc/repeat -->',
      '<!-- svc/repeat {"source":"page.children","frame":"a"} /-->',
      '<h1 data-op-bind="if:page.title; page.title"><!-- svc/data {"source":"site.title"} /--></h1>',
      '<!-- svc/lang-switcher /-->',
      '<!-- svc/content /-->',
    ),
  },
)
const markup = fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('\n'))

/** An edit, and the change that is reported to the executor. */
const change = fc.oneof(
  fc.tuple(fc.constant('put' as const), slug, markup),
  fc.tuple(fc.constant('remove' as const), slug, fc.constant('')),
  fc.tuple(
    fc.constant('settings' as const),
    fc.constantFrom(...SETTINGS),
    fc.constantFrom('A', '', '/%postname%', '7'),
  ),
  fc.tuple(
    fc.constant('menus' as const),
    fc.constantFrom('24', '33', '53'),
    fc.string({ maxLength: 5 }),
  ),
  fc.tuple(
    fc.constant('pages' as const),
    fc.constantFrom('4', '7'),
    fc.constantFrom('one', 'two', 'three'),
  ),
  fc.tuple(
    fc.constant('languages' as const),
    fc.constantFrom('en', 'fr'),
    fc.constantFrom('X', 'Y', 'Z'),
  ),
  fc.tuple(
    fc.constant('dataset' as const),
    fc.constant('news'),
    fc.constantFrom('{"title":"One"}', '{"title":"Two"}', '{}'),
  ),
)

async function make([kind, name, value]: [string, string, string]): Promise<void> {
  const { db } = shop.network
  const { posts, terms } = shop.site.tables
  switch (kind) {
    case 'put':
      await shop.frame(name, value)
      break
    case 'remove':
      if (await shop.option(`svc_frame_${await idOf(name)}`)) await shop.removeFrame(name)
      break
    case 'settings':
      await shop.setOption(name, value)
      await shop.touch('settings')
      break
    case 'menus':
      await db
        .sql(posts)
        .where({ ID: Number(name) })
        .update({ post_title: value })
      await shop.touch('menus')
      break
    case 'pages':
      await db
        .sql(posts)
        .where({ ID: Number(name) })
        .update({ post_title: value, post_name: value })
      await shop.touch('pages')
      break
    case 'languages':
      await db.sql(terms).where({ slug: name }).update({ name: value })
      await shop.touch('languages')
      break
    case 'dataset':
      await shop.setOption(`svc_data_${name}`, value)
      await shop.apply({ work: workOn('dataset', [name]) })
      break
  }
}

const idOf = (name: string): Promise<string> => shop.idOf(name).catch(() => 'none')

/** The stored texts of all copies, by slug. */
async function copies(): Promise<Record<string, string | undefined>> {
  // When it was baked is not part of what it shows.
  const shown = (text = '') => text.replace(/,"(?:baked|changed)":\d+/g, '')
  const texts = SLUGS.map(async (name) => [
    name,
    shown(await shop.option(bakedOption(await idOf(name)))),
  ])
  return Object.fromEntries(await Promise.all(texts))
}

async function bakeEverything(): Promise<void> {
  const { options } = shop.site.tables
  await shop.network.db
    .sql(options)
    .where('option_name', 'like', 'svc\\_frame\\_%\\_baked')
    .delete()
  await shop.apply({ work: workOn('all') })
}

it('a rebake yields the same bytes whether the dependents of a change or all frames are baked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(markup, { minLength: SLUGS.length, maxLength: SLUGS.length }),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (markups, changes) => {
        await restore()
        for (const [index, html] of markups.entries()) await shop.frame(SLUGS[index] ?? '', html)
        for (const made of changes) await make(made)
        const rebaked = await copies()
        await bakeEverything()
        expect(rebaked).toEqual(await copies())
      },
    ),
    { numRuns: runsOf(25), endOnFailure: true },
  )
})
