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
