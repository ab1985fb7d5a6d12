import { describe, expect, it } from 'vitest'
import { useExecutorFixture } from './executor-fixture.ts'

const LAYOUT = `<!doctype html>
<html data-op-bind="lang:site.lang; dir:site.dir"><title data-op-bind="page.title">x</title>
<!-- svc/menu {"location":"header","class":"nav"} /-->
<ul><!-- svc/repeat {"source":"languages"} --><li><a data-op-bind="href:item.url; item.name">x</a><!-- /svc/repeat --></ul>
<a class=home data-op-bind="href:site.url; site.title">x</a>
<nav><!-- svc/repeat {"source":"pages"} --><i data-op-bind="item.title"></i><!-- /svc/repeat --></nav>
<!-- svc/lang-switcher /-->
<ol><!-- svc/repeat {"source":"page.ancestors"} --><li data-op-bind="item.title"></li><!-- /svc/repeat --></ol>
<dl><!-- svc/repeat {"source":"page.children"} --><dt data-op-bind="item.title"></dt><!-- /svc/repeat --></dl>
<main><!-- svc/content /--></main>
</html>
`

describe('a site in four languages', async () => {
  const shop = await useExecutorFixture(2)
  await shop.frame('page', LAYOUT)
  await shop.assign('page', [3, 4, 5, 6, 7, 10, 11, 2, 17, 19, 20, 21, 22])

  it.each([
    [3, 'en', 'ltr', 'Home', 'menu-main-menu', 'http://net.test/shop/'],
    [4, 'fr', 'ltr', 'Accueil', 'menu-menu-principal', 'http://net.test/shop/fr/accueil/'],
    [5, 'de', 'ltr', 'Startseite', 'menu-hauptmenu', 'http://net.test/shop/de/startseite/'],
    [6, 'ar', 'rtl', 'الرئيسية', undefined, expect.stringContaining('/shop/ar/')],
    [10, 'en', 'ltr', 'Team', 'menu-main-menu', 'http://net.test/shop/'],
  ])('shows page %i in %s', async (id, lang, dir, title, menu, home) => {
    const html = (await shop.render(id)) ?? ''
    expect(html).toContain(`<html lang="${lang}" dir="${dir}"><title>${title}</title>`)
    expect(/<ul id="([^"]*)" class="nav"/.exec(html)?.[1]).toBe(menu)
    expect(/<a class=home href="([^"]*)">/.exec(html)?.[1]).toEqual(home)
  })

  it('links translations, or the home page if there is none', async () => {
    const html = (await shop.render(10)) ?? ''
    const links = [
      ...html.matchAll(/<li class="lang-item[^>]*><a lang="([^"]*)"[^>]* href="([^"]*)"/g),
    ]
    expect(links.map(([, lang, url]) => `${lang} ${url}`)).toEqual([
      'en-US http://net.test/shop/about-us/team/',
      'fr-FR http://net.test/shop/fr/a-propos/equipe/',
      'de-DE http://net.test/shop/de/startseite/',
      expect.stringMatching(/^ar http:\/\/net\.test\/shop\/ar\//),
    ])
  })
})

describe('other sites', async () => {
  const docs = await useExecutorFixture(3)
  const brand = await useExecutorFixture(4)
  for (const site of [docs, brand]) await site.frame('page', LAYOUT)
  await docs.assign('page', [4])
  await brand.assign('page', [3])

  it('have one copy without Polylang, with plain permalinks', async () => {
    const html = (await docs.render(4)) ?? ''
    expect(html).toContain('<html lang="en" dir="ltr"><title>Install</title>')
    expect(html).toContain('<a class=home href="http://net.test/docs/">')
    expect(html).not.toContain('lang-item')
    const { bake } = await docs.frame('page', `${LAYOUT} `)
    expect(bake).toMatchObject({ response: { lang: [], default_lang: null } })
  })

  it('have their own languages', async () => {
    expect(await brand.render(3)).toContain('<html lang="en" dir="ltr"><title>Brand</title>')
    const { bake } = await brand.frame('page', `${LAYOUT} `)
    expect(bake).toMatchObject({ response: { lang: ['en', 'sr'], default_lang: 'en' } })
  })
})
