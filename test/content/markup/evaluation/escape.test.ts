import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import {
  escapeHtml,
  isAllowedInAttribute,
  isSafeAddress,
} from '../../../../src/content/markup/evaluation/escape.ts'

/** How a browser normalizes NUL and line ends in a text. */
const asRead = (text: string, nul: string): string =>
  text.replace(/\r\n?/g, '\n').replaceAll('\0', nul)

const texts = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed())
const markupLike = fc
  .array(fc.constantFrom('<', '>', '"', "'", '&', '&lt;', '-->', '<!--', '</b>', 'a', ' ', '='))
  .map((parts) => parts.join(''))

describe('escapeHtml', () => {
  it('preserves every text as the text of an element', () => {
    fc.assert(
      fc.property(fc.oneof(texts, markupLike), (text) => {
        // A line end directly after <b> is kept, unlike after <pre>.
        const [element, ...rest] = parseFragment(`<b>${escapeHtml(text)}</b>`).childNodes
        expect(rest).toEqual([])
        const children = element && 'childNodes' in element ? element.childNodes : []
        const read = children.map((child) => ('value' in child ? child.value : '<>')).join('')
        expect(read).toBe(asRead(text, ''))
      }),
    )
  })

  it('preserves every text as the value of a quoted attribute', () => {
    fc.assert(
      fc.property(fc.oneof(texts, markupLike), (text) => {
        const [element, ...rest] = parseFragment(`<i title="${escapeHtml(text)}"></i>`).childNodes
        expect(rest).toEqual([])
        const attributes = element && 'attrs' in element ? element.attrs : []
        expect(attributes).toEqual([{ name: 'title', value: asRead(text, '\ufffd') }])
      }),
    )
  })
})

describe('isSafeAddress', () => {
  it.each([
    ['https://example.com/a?b=c#d'],
    ['HTTP://EXAMPLE.COM'],
    ['mailto:a@example.com'],
    ['tel:+49123'],
    ['/about/'],
    ['about/team'],
    ['?page=2'],
    ['#top'],
    ['//example.com/x'],
    [''],
    ['a/b:c'],
    ['?x=javascript:alert(1)'],
    // No schemes: the text before the colon is not a valid scheme.
    ['java\0script:alert(1)'],
    ['javascript\u00a0:alert(1)'],
    ['javascript&colon;alert(1)'],
    ['\u2028javascript:alert(1)'],
    ['1javascript:alert(1)'],
  ])('%j may be followed', (address) => {
    expect(isSafeAddress(address)).toBe(true)
  })

  it.each([
    ['javascript:alert(1)'],
    ['\u001fjavascript:alert(1)'],
    ['vbscript:msgbox(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['blob:https://example.com/x'],
    ['file:///etc/passwd'],
    ['view-source:https://example.com'],
    ['example.com:8080/x'],
  ])('%j may not', (address) => {
    expect(isSafeAddress(address)).toBe(false)
  })

  it('agrees with a browser about schemes', () => {
    const start = fc.constantFrom(' ', '\t', '\n', '\0', '\u0001', '\u00a0', '')
    const part = fc.constantFrom('va', ...'jA\t\r\n\0 +1:/.')
    const address = fc
      .tuple(fc.array(start, { maxLength: 3 }), fc.array(part, { maxLength: 8 }))
      .map(([before, parts]) => [...before, ...parts].join(''))
    fc.assert(
      fc.property(address, (text) => {
        const base = 'https://here.example/'
        fc.pre(URL.canParse(text, base))
        const { protocol } = new URL(text, base)
        const isHarmless = ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol)
        // Must be rejected if the browser sees another scheme; rejecting more is harmless.
        expect(isHarmless || !isSafeAddress(text)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('isAllowedInAttribute', () => {
  it('checks addresses only in attributes that browsers follow', () => {
    for (const name of ['href', 'src', 'action', 'formaction', 'poster', 'xlink:href']) {
      expect(isAllowedInAttribute(name, 'javascript:alert(1)')).toBe(false)
    }
    expect(isAllowedInAttribute('title', 'javascript: the good parts')).toBe(true)
  })

  it.each([
    ['srcset', '/a.png 1x, javascript:alert(1) 2x'],
    ['imagesrcset', 'data:image/svg+xml,<svg onload=alert(1)>'],
    ['to', 'javascript:alert(1)'],
    ['from', ' javascript:alert(1)'],
    ['values', '#a;javascript:alert(1)'],
    ['content', '0;url=//elsewhere.example'],
    ['content', ' 5 , URL = "https://elsewhere.example"'],
    ['content', '0 https://elsewhere.example'],
    ['content', '0;ht\ttps:elsewhere.example'],
    ['content', ".5;'\\\\elsewhere.example"],
    ['content', '1;javascript:alert(1)'],
  ])('refuses in %s: %j', (name, value) => {
    expect(isAllowedInAttribute(name, value)).toBe(false)
  })

  it.each([
    ['srcset', '/a.png 1x, https://cdn.example/b.png 2x'],
    ['values', '0;10;20'],
    ['to', '#end'],
    ['content', '10 years of tea: a history'],
    ['content', '24/7 support'],
    ['content', '7, Baker Street'],
    ['content', 'width=device-width, initial-scale=1'],
    ['content', 'https://net.test/shop/about-us/'],
  ])('allows in %s: %j', (name, value) => {
    expect(isAllowedInAttribute(name, value)).toBe(true)
  })
})
