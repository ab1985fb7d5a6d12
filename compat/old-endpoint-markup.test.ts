import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { analyzeMarkup } from '../src/content/frames/frame-markup.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'

let fixture: CompatFixture
beforeAll(async () => {
  fixture = await createCompatFixture()
})
afterAll(() => fixture?.close())

const path = fc.constantFrom(
  'site.title',
  'settings.blogname',
  'page.title',
  'page.content',
  'pages',
  'menu.header',
  'languages',
  'dataset.news.0.title',
  'props.x',
  'item',
  'item.title',
  'menu',
  'nothing.x',
  'page.__proto__',
  'a b',
)
const target = fc.constantFrom('', 'href:', 'if:', 'html:', 'TITLE: ', 'onclick:', 'style:', 'a b:')
const bind = fc
  .array(
    fc.tuple(target, path).map((parts) => parts.join('')),
    { maxLength: 3 },
  )
  .map((parts) => ` data-op-bind="${parts.join('; ')}"`)
const attribute = fc.oneof(
  bind,
  fc.constantFrom('', ' class="a &amp; b"', ` title='<!-- svc/menu /-->"'`, ' hidden', ' x=y'),
)
const name = fc.constantFrom('card', 'CARD ', 'a-b', '0123456789abcdef', '')
const params = fc.constantFrom('name', 'ref', 'frame', 'slug', 'id', 'x').chain((key) =>
  fc.oneof(
    name.map((value) => `"${key}":"${value}"`),
    fc.constantFrom('"n": 1.5', '"a":[{}]', '"name" : null'),
  ),
)
const insert = fc.oneof(
  fc
    .tuple(fc.constantFrom('frame', 'partial'), fc.array(params, { maxLength: 3 }))
    .map(([kind, members]) => `<!-- svc/${kind} {${members.join(',')}} /-->`),
  path.map((source) => `<!--svc/data {"source":"${source}"}/-->`),
  path.map((source) => `<!-- svc/repeat {"source":"${source}","frame":"card"} /-->`),
  fc.constantFrom(
    '<!-- svc/menu {"location":"header"} /-->',
    '<!-- svc/menu {"menu":3,"current":true} /-->',
    '<!-- svc/menu { "location": " footer_1 " } -->',
    '<!-- svc/content /-->',
    '<!-- svc/lang-switcher {"class":"x"} /-->',
    '<!-- svc/unknown /-->',
    '<!-- svc/data {broken} /-->',
    '<!-- /svc/repeat -->',
    '<!-- svc/repeat {"source":"pages"} /-->',
    '<!-- a comment -->',
    '<!doctype html>',
  ),
)
const text = fc.constantFrom('', 'a < b & c', 'ü😀', '\r\n', '&lt;!-- svc/menu /--&gt;')
const elements = ['p', 'DIV', 'a', 'li', 'section', 'h1', 'span', 'my-card']
const rawElements = ['script', 'style', 'title', 'textarea', 'noscript']

const { content } = fc.letrec<{ content: string; element: string; repeat: string; raw: string }>(
  (tie) => ({
    content: fc
      .array(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          text,
          insert,
          tie('element'),
          tie('repeat'),
          tie('raw'),
          attribute.map((written) => `<img${written}>`),
        ),
        { maxLength: 6 },
      )
      .map((pieces) => pieces.join('')),
    element: fc
      .tuple(fc.constantFrom(...elements), attribute, tie('content'))
      .map(([tag, written, inner]) => `<${tag}${written}>${inner}</${tag}>`),
    repeat: fc.tuple(path, fc.boolean(), tie('content')).map(([source, isBroken, inner]) => {
      const json = isBroken ? '{"source"}' : `{"source":"${source}"}`
      return `<!-- svc/repeat ${json} -->${inner}<!-- /svc/repeat -->`
    }),
    raw: fc
      .tuple(fc.constantFrom(...rawElements), attribute, insert)
      .map(([tag, written, inner]) => `<${tag}${written}>${inner}</${tag}>`),
  }),
)

const markup = fc
  .tuple(content, attribute, fc.boolean())
  .map(([inner, written, isPage]) =>
    isPage ? `<!DOCTYPE html><html><body${written}>${inner}</body></html>` : inner,
  )

type OldReport = Record<string, unknown> & { readonly inserts: unknown }

it('the old endpoint reports on ordinary markup what wp-frames reports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(markup, { minLength: 100, maxLength: 100 }), async (texts) => {
      const reports = await fixture.wp<OldReport[]>('old_reports', texts)
      for (const [index, html] of texts.entries()) {
        const { inserts, ...old } = reports[index] ?? { inserts: {} }
        const report = analyzeMarkup(html)
        expect({
          html,
          // An empty array of PHP is a list in JSON; answers of the endpoint have an object.
          inserts: Array.isArray(inserts) ? {} : inserts,
          sources: old.sources,
          references: old.references,
          binds: old.binds,
          live_reasons: old.live_reasons,
          has_doctype: old.has_doctype,
          has_body: old.has_body,
          aliases: new Set(old.aliases as object[]),
        }).toEqual({
          html,
          inserts: report.inserts,
          sources: report.sources,
          references: report.references,
          binds: report.binds,
          live_reasons: report.live_reasons,
          has_doctype: report.has_doctype,
          has_body: report.has_body,
          aliases: new Set(report.aliases.map(({ pairs }) => pairs)),
        })
      }
    }),
    { numRuns: 20 },
  )
})
