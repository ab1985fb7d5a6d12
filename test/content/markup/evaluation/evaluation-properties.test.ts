import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomMarkup } from '../random-markup.ts'
import { item, menu, print, printAtOnce } from './print.ts'

const values = {
  lang: 'en',
  site: { title: 'A & <B>', url: 'https://x.test/' },
  pages: [
    { title: 'One', url: '/one/' },
    { title: '', url: '' },
  ],
  languages: [{ slug: 'en', locale: 'en_US', name: 'English', rtl: false, url: '/' }],
  menus: {
    '["header",null,null]': menu([
      item({ id: 1, type: 'post_type', object: 'page', objectId: 7 }),
      item({ id: 2, parent: 1, title: '<i>' }),
    ]),
  },
  datasets: {
    rows: [
      { x: 'X', list: [1, 2], bad: 'javascript:x' },
      { x: '', list: [], bad: '' },
    ],
  },
}
const page = {
  id: 7,
  title: 'Title "q"',
  url: 'https://x.test/p/',
  lang: 'en',
  content: '<p data-op-bind="site.title"><!-- svc/content /--></p>',
  children: [{ x: 'child', list: [3] }],
  translations: { en: '/p/' },
  ancestors: [],
}

const PATHS =
  'site.title site.what page.title page.excerpt page.children item.x item.bad item item.list props.p dataset.rows dataset.rows.0.x pages menu.header'
const path = fc.constantFrom(...PATHS.split(' '))
const bind = fc
  .tuple(fc.constantFrom('', 'href:', 'title:', 'if:', 'html:', 'onclick:'), path)
  .map(([target, name]) => target + name)
const text = fc.constantFrom(
  'text',
  ' & ',
  '<br>',
  'ü😀',
  '\r\n',
  '<!-- c -->',
  '\0',
  '"',
  "'",
  '{}',
)
const frameName = fc.constantFrom('a', 'b', 'c')

/** Markup with every construct, with nested elements and repeats. */
const { markup } = fc.letrec<{ markup: string; node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    text,
    path.map((name) => `<!-- svc/data {"source":"${name}"} /-->`),
    fc.constantFrom(
      '<!-- svc/content /-->',
      '<!-- svc/lang-switcher /-->',
      '<!-- svc/menu {"location":"header"} /-->',
      '<!-- svc/menu {"location":"header","current":true,"depth":1} /-->',
    ),
    frameName.map((name) => `<!-- svc/frame {"name":"${name}","p":"P<${name}>"} /-->`),
    fc
      .tuple(path, frameName)
      .map(([source, name]) => `<!-- svc/repeat {"source":"${source}","frame":"${name}"} /-->`),
    fc
      .tuple(path, tie('markup'))
      .map(
        ([source, body]) => `<!-- svc/repeat {"source":"${source}"} -->${body}<!-- /svc/repeat -->`,
      ),
    fc
      .tuple(fc.array(bind, { minLength: 1, maxLength: 3 }), tie('markup'))
      .map(([binds, body]) => `<div title='t' data-op-bind="${binds.join(';')}">${body}</div>`),
  ),
  markup: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
}))

/** Menus inside deferred pieces are numbered after all others. */
const withoutIds = (html: string): string => html.replace(/ id="menu-[^"]*"/g, '')

const frames = fc.record({ a: markup, b: markup, c: markup })

it('the evaluation prints the same page in two steps as in one', () => {
  fc.assert(
    fc.property(frames, (bySlug) => {
      const inTwo = print(bySlug, { values, page }).html
      expect(withoutIds(inTwo)).toBe(withoutIds(printAtOnce(bySlug, { values, page })))
    }),
    { numRuns: 300 },
  )
})

it('the evaluation prints the same page each time', () => {
  fc.assert(
    fc.property(frames, (bySlug) => {
      const once = print(bySlug, { values, page })
      expect(print(bySlug, { values, page })).toEqual(once)
    }),
  )
})

it('the evaluation copies markup without inserts and binds byte for byte', () => {
  fc.assert(
    fc.property(randomMarkup(), (html) => {
      const plain = html.replaceAll('svc/', 'wp:').replaceAll('data-op-bind', 'data-x')
      expect(print(plain, { values, page }).html).toBe(plain)
    }),
    { numRuns: 300 },
  )
})

it('the evaluation copies the text around inserts and bound elements byte for byte', () => {
  const plain = fc.array(text, { maxLength: 3 }).map((parts) => parts.join(''))
  const insert = fc.constantFrom(
    ['<!-- svc/data {"source":"site.title"} /-->', 'A &amp; &lt;B&gt;'] as const,
    ['<!-- svc/what /-->', ''] as const,
    ['<!-- svc/data {"source":"site.what"} /-->', ''] as const,
    ['<i data-op-bind="site.title" \n x=1>\0old</i >', '<i \n x=1>A &amp; &lt;B&gt;</i >'] as const,
    ['<img src="a"data-op-bind="if:site.what"/>', ''] as const,
    ['<!-- svc/repeat {"source":"item"} -->x<!-- /svc/repeat -->', ''] as const,
  )
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          plain.map((same) => [same, same] as const),
          insert,
        ),
      ),
      (parts) => {
        const source = parts.map(([written]) => written).join('')
        expect(print(source, { values }).html).toBe(parts.map(([, printed]) => printed).join(''))
      },
    ),
    { numRuns: 300 },
  )
})

it('the evaluation accepts any markup', () => {
  fc.assert(
    fc.property(randomMarkup({ references: ['name', 'id'] }), (html) => {
      const card = '<!-- svc/frame {"name":"page"} /-->'
      expect(typeof print({ page: html, card }, { values, page }).html).toBe('string')
    }),
    { numRuns: 300 },
  )
})
