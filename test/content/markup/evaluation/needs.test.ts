import { describe, expect, it } from 'vitest'
import { compileMarkup } from '../../../../src/content/markup/evaluation/compile.ts'
import { collectNeeds, dependsOnLanguage } from '../../../../src/content/markup/evaluation/needs.ts'
import { parseMarkup } from '../../../../src/content/markup/parse-markup.ts'

const needsOf = (...markup: string[]) =>
  collectNeeds(markup.map((html) => compileMarkup(parseMarkup(html)).program))
const NOTHING = needsOf('<p>plain</p>')

describe('the data that markup needs', () => {
  it.each([
    ['<!-- svc/data {"source":"site.title"} /-->', { site: ['title'] }],
    [
      '<p data-op-bind="site.url; title:site.title; if:settings.home"></p>',
      { site: ['title', 'url'], settings: ['home'] },
    ],
    ['<!-- svc/menu {"location":"header"} /-->', { menus: [{ location: 'header' }] }],
    ['<!-- svc/menu {"menu":5,"lang":"fr"} /-->', { menus: [{ menu: '5', lang: 'fr' }] }],
    [
      '<!-- svc/menu {"location":"header","current":true} /-->',
      { menus: [{ location: 'header' }], page: ['ancestors'] },
    ],
    ['<!-- svc/menu /-->', {}],
    [
      '<!-- svc/repeat {"source":"menu.header"} --><!-- svc/data {"source":"dataset.a.b"} /--><!-- /svc/repeat -->',
      { menus: [{ location: 'header' }], datasets: ['a'] },
    ],
    ['<!-- svc/repeat {"source":"pages","frame":"x"} /-->', { pages: true }],
    ['<!-- svc/repeat {"source":"languages"} --><!-- /svc/repeat -->', { languages: true }],
    ['<!-- svc/lang-switcher /-->', { languages: true, page: ['translations'] }],
    ['<!-- svc/content /-->', { page: ['content'] }],
    ['<h1 data-op-bind="page.title"><i data-op-bind="item.x"></i></h1>', { page: ['title'] }],
    ['<!-- svc/data {"source":"props.x"} /-->', {}],
    ['<script><!-- svc/data {"source":"site.title"} /--></script>', {}],
  ])('%s', (markup, expected) => {
    expect(needsOf(markup)).toEqual({ ...NOTHING, ...expected })
  })

  it('is listed once and sorted, for any number of frames', () => {
    const a = '<!-- svc/menu {"location":"b"} /--><!-- svc/menu {"location":"a"} /-->'
    const b =
      '<!-- svc/menu {"location":"a"} /--><p data-op-bind="site.z"></p><p data-op-bind="site.a"></p>'
    expect(needsOf(a, b)).toEqual(needsOf(b, a))
    expect(needsOf(a, b)).toMatchObject({
      menus: [{ location: 'a' }, { location: 'b' }],
      site: ['a', 'z'],
    })
  })

  it.each([
    ['<p>plain</p>', false],
    ['<p data-op-bind="site.title"></p>', false],
    ['<p data-op-bind="dataset.a.b"></p>', false],
    ['<p data-op-bind="page.title"></p>', false],
    ['<!-- svc/menu {"location":"header","lang":"fr"} /-->', false],
    ['<p data-op-bind="site.lang"></p>', true],
    ['<p data-op-bind="site.url"></p>', true],
    ['<p data-op-bind="site.dir"></p>', true],
    ['<!-- svc/menu {"location":"header"} /-->', true],
    ['<!-- svc/menu {"menu":"main"} /-->', true],
    ['<!-- svc/repeat {"source":"pages"} --><!-- /svc/repeat -->', true],
    ['<!-- svc/lang-switcher /-->', true],
  ])('%s differs by language: %s', (markup, expected) => {
    expect(dependsOnLanguage(needsOf(markup))).toBe(expected)
  })
})
