import { decodeHTMLAttribute } from 'entities'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import type { Values } from '../../../../src/content/markup/evaluation/values.ts'
import { HOSTILE_VALUES } from '../../../support/hostile-values.ts'
import { type Frames, item, menu, print } from './print.ts'

const secret = {
  settings: { secret: 'TOP-SECRET' },
}

const valuesWith = (text: string): Partial<Values> => ({
  ...secret,
  lang: 'en',
  site: { title: text, url: 'https://x.test/' },
  pages: [{ title: text, url: text }],
  languages: [{ slug: 'en', locale: 'en_US', name: text, rtl: false, url: 'https://x.test/' }],
  menus: {
    '["header",null,null]': menu([
      item({ id: 1, title: text, attrTitle: text, url: text, classes: [text], xfn: text }),
    ]),
  },
  datasets: { d: { text, rows: [{ text }, text] } },
})

const pageWith = (text: string) => ({
  id: 7,
  title: text,
  url: text,
  lang: 'en',
  excerpt: '<p>excerpt</p>',
  content: '<p>content</p>',
  translations: { en: text },
  children: [{ title: text, url: text }],
  ancestors: [],
})

const data = (source: string) => `<!-- svc/data {"source":"${source}"} /-->`
const repeat = (source: string, body: string) =>
  `<!-- svc/repeat {"source":"${source}"} -->${body}<!-- /svc/repeat -->`
const around = (markup: string) => `<!doctype html><title>t</title><main>${markup}</main><p>after`

const secretFrame = data('settings.secret')

const CONTEXTS: Record<string, (text: string) => Frames> = {
  'svc/data': () => around(data('site.title')),
  'a data set': () => around(data('dataset.d.text')),
  'a text bind': () => around('<p data-op-bind="site.title">x</p>'),
  'an attribute': () =>
    around('<p title=old data-op-bind="title:dataset.d.text; lang:site.title">x</p>'),
  'an address': () =>
    around(
      '<a href="/old" data-op-bind="href:dataset.d.text">x</a><img data-op-bind="src:site.title">',
    ),
  'a form': () =>
    around(
      '<form data-op-bind="action:dataset.d.text"><button data-op-bind="formaction:site.title">x</button></form>',
    ),
  'a title': () => `<!doctype html><title data-op-bind="site.title">x</title><main></main>`,
  'a textarea': () => around('<textarea data-op-bind="site.title">x</textarea>'),
  'a script': () => around(`<script data-op-bind="site.title">${data('site.title')}</script>`),
  'a style': () => around(`<style data-op-bind="site.title">${data('site.title')}</style>`),
  rows: () =>
    around(
      repeat('dataset.d.rows', `<i data-op-bind="title:item.text; item.text">x</i>${data('item')}`),
    ),
  pages: () => around(repeat('pages', '<a data-op-bind="href:item.url; item.title">x</a>')),
  properties: (text) => ({
    page: around(
      `<!-- svc/frame ${JSON.stringify({ name: 'card', text }).replaceAll('--', '\\u002d\\u002d')} /-->`,
    ),
    card: `<p data-op-bind="title:props.text; props.text">x</p>${data('props.text')}`,
  }),
  'a menu': () => around('<!-- svc/menu {"location":"header"} /-->'),
  "the page's menu": () => around('<!-- svc/menu {"location":"header","current":true} /-->'),
  'rows of a menu': () =>
    around(repeat('menu.header', '<a data-op-bind="href:item.url; item.title">x</a>')),
  'a language switcher': () => around('<!-- svc/lang-switcher /-->'),
  "the page's title": () =>
    `<!doctype html><title data-op-bind="page.title">x</title><main><h1 data-op-bind="page.title">x</h1>${data('page.title')}</main>`,
  "the page's address": () => around('<a data-op-bind="href:page.url; title:page.title">x</a>'),
  "the page's children": () =>
    around(repeat('page.children', '<a data-op-bind="href:item.url; item.title">x</a>')),
  'a condition': () => around('<p data-op-bind="if:page.title; title:page.title">x</p>'),
}

/** Elements with their attribute names, comments and the doctype: a text must not change them. */
function outline(html: string): string[] {
  const lines: string[] = []
  const collect = (
    node: DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document,
  ): void => {
    if (defaultTreeAdapter.isCommentNode(node)) lines.push(`<!--${node.data}-->`)
    if (defaultTreeAdapter.isElementNode(node)) {
      const names = node.attrs.map(({ name }) => name)
      lines.push(`<${[node.tagName, ...names].join(' ')}>`)
    }
    if ('childNodes' in node) node.childNodes.forEach(collect)
    if (defaultTreeAdapter.isElementNode(node)) lines.push(`</${node.tagName}>`)
  }
  collect(parse(html))
  return lines
}

const base = 'https://x.test/'

/** Addresses that a browser may follow, decoded. */
function addresses(html: string): string[] {
  return [...html.matchAll(/ (?:href|src|action|formaction)="([^"]*)"/g)].map(([, url]) =>
    decodeHTMLAttribute(url ?? ''),
  )
}

const render = (frames: Frames, text: string): string =>
  print(
    typeof frames === 'string'
      ? { page: frames, secret: secretFrame }
      : { ...frames, secret: secretFrame },
    {
      values: valuesWith(text),
      page: pageWith(text),
    },
  ).html

describe.each(Object.entries(CONTEXTS))('in %s', (_, framesWith) => {
  it.each(HOSTILE_VALUES.map((text) => [text]))('%j is text', (text) => {
    const html = render(framesWith(text), text)
    expect(html).not.toContain('TOP-SECRET')
    // Attributes with unsafe addresses are omitted.
    const benign = render(framesWith('harmless'), 'harmless')
    const names = (lines: string[]) =>
      lines.map((line) => line.replace(/ (?:href|src|action|formaction)\b/g, ''))
    expect(names(outline(html))).toEqual(names(outline(benign)))
    for (const address of addresses(html)) {
      const protocol = URL.canParse(address, base) ? new URL(address, base).protocol : 'none'
      expect(['https:', 'http:', 'none']).toContain(protocol)
    }
  })
})

it("prints a page's content unchanged and never parses it as markup", () => {
  const content = `<p data-op-bind="settings.secret">x</p><!-- svc/frame {"name":"secret"} /-->${data('settings.secret')}`
  const page = { ...pageWith('x'), content, excerpt: content }
  const frames = {
    page: '<!-- svc/content /--><div data-op-bind="html:page.content">x</div><div data-op-bind="html:page.excerpt">x</div>',
    secret: secretFrame,
  }
  const { html } = print(frames, { values: valuesWith('x'), page })
  expect(html).toBe(`${content}<div>${content}</div><div>${content}</div>`)
})

it('the evaluation never parses the HTML of a dataset as markup', () => {
  const html = `<b data-op-bind="settings.secret">x</b>${data('settings.secret')}`
  const printed = print('<div data-op-bind="html:dataset.d.html">x</div>', {
    values: { ...secret, datasets: { d: { html } } },
  })
  expect(printed.html).toBe(`<div>${html}</div>`)
})
