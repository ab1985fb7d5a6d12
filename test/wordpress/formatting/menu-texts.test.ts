import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { menuItemTitle } from '../../../src/wordpress/formatting/menu-texts.ts'

const ELEMENTS = /^(?:a|abbr|acronym|b|blockquote|cite|code|del|em|i|q|s|strike|strong)$/
const ATTRIBUTES = /^(?:href|title|cite|datetime)$/

const noise = fc.constantFrom('', '<', '>', '"', "'", '<!--', '-->', '</', '\\', ' x ', '\0')
const attribute = fc
  .tuple(
    fc.constantFrom(' ', '\n', '/', ''),
    fc.constantFrom('href', 'HREF', 'title', 'onclick', 'style', 'cite'),
    fc.constantFrom('"', "'", '', ' '),
    fc.constantFrom(
      'javascript:x',
      'Java\nScript:x',
      'javascript&colon;x',
      '&#106avascript:x',
      '/x',
    ),
  )
  .map(([gap, name, quote, value]) => `${gap}${name}=${quote}${value}${quote}`)
const tag = fc
  .tuple(fc.constantFrom('a', 'A', 'q', 'b', 'script', 'svg', 'img'), fc.array(attribute), noise)
  .map(([name, attributes, end]) => `<${name}${attributes.join('')}${end}>`)

describe('menuItemTitle', () => {
  it('only trims for a user with unfiltered_html', () => {
    expect(menuItemTitle(' <svg/> & "x" \n', { unfilteredHtml: true })).toBe('<svg/> & "x"')
  })

  it('removes every executable element, attribute and protocol for other users', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, noise)), (parts) => {
        const parser = new Parser({
          onopentagname: (name) => expect(name).toMatch(ELEMENTS),
          onattribute: (name, value) => {
            expect(name).toMatch(ATTRIBUTES)
            if (name !== 'title') expect(value).not.toMatch(/^\s*javascript:/i)
          },
        })
        parser.end(menuItemTitle(parts.join(''), { unfilteredHtml: false }))
      }),
      { numRuns: 2000 },
    )
  })
})
