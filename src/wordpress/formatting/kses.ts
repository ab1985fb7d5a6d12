import { escapeUTF8 } from 'entities'
import { Parser } from 'htmlparser2'
import { escapeUnclosedTags, normalizeEntities } from './entities.ts'
import { removeBadProtocol } from './sanitize-url.ts'

/** WordPress's `$allowedtags` (wp-includes/kses.php): the elements and their attributes. */
const ALLOWED = new Map<string, readonly string[]>([
  ['a', ['href', 'title']],
  ['abbr', ['title']],
  ['acronym', ['title']],
  ['b', []],
  ['blockquote', ['cite']],
  ['cite', []],
  ['code', []],
  ['del', ['datetime']],
  ['em', []],
  ['i', []],
  ['q', ['cite']],
  ['s', []],
  ['strike', []],
  ['strong', []],
])
const ADDRESSES = new Set(['href', 'cite'])

const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g
/** Markup that browsers parse as a comment or tag, and a bare `>`. */
const TOKEN = /<\/[^a-zA-Z][^>]*>|<![^>]*>|<[^>]*(?:>|$)|>/y
const BOGUS_COMMENT = /^<(?:\/[^a-zA-Z]|![a-z])[^>]*>$/
const TAG = /^<[\t-\r ]*(\/[\t-\r ]*)?([a-zA-Z0-9-]+)([^>]*)>?$/

/** The attributes in a tag by name, `true` for one without a value; none if a quote is not closed. */
const attributesOf = (text: string): Map<string, string | true> => {
  const found = new Map<string, string | true>()
  let complete = false
  const parser = new Parser({
    onattribute: (name, value, quote) => {
      if (!found.has(name)) found.set(name, quote === undefined ? true : value)
    },
    onopentag: () => {
      complete = true
    },
  })
  parser.end(`<wp ${text}>`)
  return complete ? found : new Map()
}

const filterAttributes = (text: string, allowed: readonly string[]): string =>
  [...attributesOf(text)]
    .filter(([name]) => allowed.includes(name))
    .map(([name, value]) => {
      if (value === true) return ` ${name}`
      const safe = ADDRESSES.has(name) ? removeBadProtocol(value) : value
      return ` ${name}="${escapeUTF8(safe)}"`
    })
    .join('')

const filterTag = (tag: string): string => {
  const [, slash, name = '', attributes = ''] = TAG.exec(tag) ?? []
  const allowed = ALLOWED.get(name.toLowerCase())
  if (allowed === undefined) return ''
  if (slash !== undefined) return `</${name}>`
  const kept = allowed.length > 0 ? filterAttributes(attributes, allowed) : ''
  return `<${name}${kept}${/\/[\t-\r ]*$/.test(attributes) ? ' /' : ''}>`
}

const filterUntilStable = (html: string): string => {
  const next = kses(html)
  return next === html ? html : filterUntilStable(next)
}

const filterComment = (comment: string): string => {
  const text = filterUntilStable(comment.replace(/<!--|-->/g, ''))
  return text === '' ? '' : `<!--${text.replace(/--+/g, '-').replace(/-$/, '')}-->`
}

const filterToken = (token: string): string => {
  const html = token.replaceAll('\\"', '"')
  if (html === '>') return '&gt;'
  if (BOGUS_COMMENT.test(html)) return `${html.slice(0, 2)}${filterUntilStable(html.slice(2, -1))}>`
  return html.startsWith('<!--') ? filterComment(html) : filterTag(html)
}

/** Returns the index of a mark at or after a position. Positions only increase, so the text is searched once. */
const markFinder = (html: string, mark: string): ((from: number) => number) => {
  let found = -1
  let isNext = true
  return (from) => {
    if (isNext && found < from) {
      found = html.indexOf(mark, from)
      isNext = found >= 0
    }
    return isNext ? found : html.length
  }
}

/**
 * Filters comments, tags and `>`, as matched by `<!--[^\n]*?(?:-->|$)` and TOKEN. A comment ends on its line; a regular expression would
 * search for that end again at each `<!--`.
 */
const filterTokens = (html: string): string => {
  const lineEnd = markFinder(html, '\n')
  const commentEnd = markFinder(html, '-->')
  const marks = /[<>]/g
  let result = ''
  let at = 0
  for (let mark = marks.exec(html); mark; mark = marks.exec(html)) {
    const { index } = mark
    const end = html.startsWith('<!--', index) ? commentEnd(index + 4) : Number.POSITIVE_INFINITY
    if (end <= lineEnd(index + 4)) marks.lastIndex = Math.min(end + 3, html.length)
    else {
      TOKEN.lastIndex = index
      TOKEN.test(html)
      marks.lastIndex = TOKEN.lastIndex
    }
    result += html.slice(at, index) + filterToken(html.slice(index, marks.lastIndex))
    at = marks.lastIndex
  }
  return result + html.slice(at)
}

/**
 * Filters the HTML that a user without `unfiltered_html` saves in a title: a few inline elements with harmless attributes stay; other tags
 * are removed and their text stays; bare `&` and `>` are encoded. Tags are not balanced. WordPress's `wp_kses` with `$allowedtags`
 * (wp-includes/kses.php), as of WordPress 7.0, except that block comments (`<!-- wp:… -->`) are treated as ordinary comments.
 *
 * `sanitize-html` is not a replacement: it balances tags, removes comments and encodes differently.
 */
export const kses = (html: string): string =>
  filterTokens(escapeUnclosedTags(normalizeEntities(html.replace(CONTROL, ''))))
