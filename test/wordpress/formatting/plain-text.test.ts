import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { menuName } from '../../../src/wordpress/formatting/menu-texts.ts'
import { decodeName } from '../../../src/wordpress/formatting/plain-text.ts'

describe('decodeName', () => {
  it.each([
    ['Top &amp; Bottom', 'Top & Bottom'],
    ['&lt;3', '<3'],
    ['&quot;q&quot; &#039;s&#039; &#8217;', '"q" \'s\' ’'],
    ['a&nbsp;b', 'a\u00a0b'],
    ['&amp;lt;', '&lt;'],
    ['AT&T &copy=1', 'AT&T &copy=1'],
  ])('decodes %j to %j', (stored, name) => {
    expect(decodeName(stored)).toBe(name)
  })

  it('restores the stored name except for tags, octets and white space', () => {
    const texts = fc.stringMatching(/^[a-zé&>"'#;!]+( [a-zé&>"'#;!]+)*$/)
    fc.assert(
      fc.property(texts, (name) => {
        fc.pre(decodeName(name) === name)
        expect(decodeName(menuName(name))).toBe(name)
      }),
    )
  })
})
