import { describe, expect, it } from 'vitest'
import type { BakeResponse, Effects } from '../../../src/host/effects.ts'
import { useExecutorFixture } from './executor-fixture.ts'

const shop = await useExecutorFixture()
await shop.frame('card', '<b data-op-bind="item.title; title:item.what">x</b>')
await shop.frame('inner', '<!-- svc/frame {"name":"card"} /-->')
await shop.setOption('svc_data_news', '[{"title":"One"},{"title":"Two"}]')

function responseOf({ bake }: Effects): BakeResponse {
  if (bake.status !== 'ok') throw new Error(`bake ${bake.status}`)
  return bake.response
}

describe('the bake response', () => {
  it('describes what was baked', async () => {
    const html = `<p>ü</p>
<!-- svc/repeat {"source":"dataset.news"} --><!-- svc/frame {"name":"inner"} /--><!-- /svc/repeat -->
<i data-op-bind="site.what; onclick:site.title"></i><!-- svc/gallery /--><!-- svc/frame {"name":"gone"} /-->`
    const id = (await shop.frame('news', html)) && (await shop.idOf('news'))
    expect(responseOf(await shop.frame('news', `${html}\n`))).toEqual({
      baked: true,
      frame_id: id,
      bytes: Buffer.byteLength('<p>ü</p>\n<b>One</b><b>Two</b>\n<i></i>\n'),
      source_bytes: Buffer.byteLength(html) + 1,
      baked_option: `svc_frame_${id}_baked`,
      renders_on_request: false,
      lang: [],
      default_lang: 'en',
      blocks: 1,
      inserts: 3,
      unknown_inserts: ['op/gallery'],
      binds: 2,
      bind_tags: 1,
      repeats: ['dataset.news'],
      frames: ['inner', 'card'],
      unresolved: [
        { frame: 'card', bind: 'title:item.what', reason: 'no_value', line: 1, column: 1 },
        { frame: 'news', bind: 'onclick:site.title', reason: 'not_allowed', line: 3, column: 1 },
        { frame: 'news', bind: 'site.what', reason: 'unknown_name', line: 3, column: 1 },
      ],
      warnings: ['news: frame "gone" does not exist; the insert prints nothing.'],
      published: { published: false, pages: [] },
      pages: [],
    })
  })

  it('counts all languages', async () => {
    expect(responseOf(await shop.frame('lang', '<p data-op-bind="site.lang">x</p>'))).toMatchObject(
      {
        lang: ['en', 'fr', 'de', 'ar'],
        bytes: 4 * '<p>en</p>'.length,
        blocks: 4,
      },
    )
  })

  it('reports deferred pieces, also in embedded frames', async () => {
    await shop.frame('title', '<h1 data-op-bind="page.title"></h1>')
    const response = responseOf(await shop.frame('outer', 'a<!-- svc/frame {"name":"title"} /-->b'))
    expect(response).toMatchObject({ renders_on_request: true, frames: ['title'], blocks: 3 })
  })

  it('reports a menu with a language switcher as deferred', async () => {
    expect(
      responseOf(await shop.frame('nav', '<!-- svc/menu {"location":"header"} /-->')),
    ).toMatchObject({
      renders_on_request: false,
    })
    const six = 'a:1:{s:8:"dropdown";i:0;}'
    await shop.network.db
      .sql(shop.site.tables.postmeta)
      .insert({ post_id: 24, meta_key: '_pll_menu_item', meta_value: six })
    expect(
      responseOf(await shop.frame('nav', '<!-- svc/menu {"location":"header"} /--> ')),
    ).toMatchObject({
      renders_on_request: true,
    })
    await shop.assign('nav', [10])
    expect(await shop.render(10)).toContain(
      '<a href="http://net.test/shop/fr/a-propos/equipe/" lang="fr-FR" hreflang="fr-FR">Français</a>',
    )
  })
})
