import { describe, expect, it } from 'vitest'
import { MAX_PATH_LENGTH, parsePath } from '../../../src/content/markup/value-path.ts'

describe('parsePath', () => {
  it.each([
    ['site.title', 'site', ['title']],
    [' settings.blogname ', 'settings', ['blogname']],
    ['page.parent.title', 'page', ['parent', 'title']],
    ['pages', 'pages', []],
    ['languages', 'languages', []],
    ['menu.footer_1', 'menu', ['footer_1']],
    ['dataset.news-2026.0.title', 'dataset', ['news-2026', '0', 'title']],
    ['props.title', 'props', ['title']],
    ['item', 'item', []],
    ['item.children', 'item', ['children']],
  ])('parses %s', (text, root, keys) => {
    expect(parsePath(text)).toEqual({ text: text.trim(), root, keys })
  })

  it.each([
    '',
    'title',
    'site',
    'menu',
    'menu.header.0',
    'pages.0',
    'languages.en',
    'site.',
    '.title',
    'site..title',
    'site.ti tle',
    'site.title()',
    'Site.title',
    'toString',
    'constructor.name',
    'item.__proto__',
    'props.constructor.name',
    'dataset.prototype',
    `site.${'x'.repeat(MAX_PATH_LENGTH)}`,
  ])('rejects %j', (text) => {
    expect(parsePath(text)).toBeUndefined()
  })
})
