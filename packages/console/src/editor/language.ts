import { html } from '@codemirror/lang-html'
import {
  HighlightStyle,
  LanguageSupport,
  type LRLanguage,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { parseMixed } from '@lezer/common'
import { tags } from '@lezer/highlight'

const BIND_ATTRIBUTE = 'data-op-bind'

/** An insert, from `<!--` to `-->`. */
const insertLanguage = StreamLanguage.define({
  name: 'insert',
  token(stream: StringStream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^<!--|^\/?-->/)) return 'processingInstruction'
    if (stream.match(/^\/?(?:svc|op)\/[^\s/{]*/)) return 'keyword'
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/))
      return stream.match(/^\s*:/, false) ? 'propertyName' : 'string'
    if (stream.match(/^-?\d[\d.eE+-]*|^(?:true|false|null)\b/)) return 'number'
    stream.next()
    return 'punctuation'
  },
})

/** The value of a bind attribute, with its quotes. */
const bindLanguage = StreamLanguage.define({
  name: 'bind',
  token(stream: StringStream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^[\w-]+(?::[\w-]+)*(?=\s*:)/)) return 'propertyName'
    if (stream.match(/^[\w.-]+/)) return 'variableName'
    stream.next()
    return 'punctuation'
  },
})

/** HTML with inserts and binds. */
export function markupLanguage(): Extension {
  const { language, support } = html({ extraGlobalAttributes: { [BIND_ATTRIBUTE]: [] } })
  const markup = (language as LRLanguage).configure({
    wrap: parseMixed((node, input) => {
      if (node.name === 'Comment') {
        const start = input.read(node.from, Math.min(node.to, node.from + 64))
        return /^<!--\s*\/?(?:svc|op)\//.test(start) ? { parser: insertLanguage.parser } : null
      }
      if (node.name !== 'AttributeValue') return null
      const name = node.node.parent?.getChild('AttributeName')
      const isBind = name && input.read(name.from, name.to).toLowerCase() === BIND_ATTRIBUTE
      return isBind ? { parser: bindLanguage.parser } : null
    }),
  })
  return [new LanguageSupport(markup, support), syntaxHighlighting(STYLE)]
}

const STYLE = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'light-dark(#4a5a70, #9fb3cc)' },
  { tag: tags.attributeName, color: 'light-dark(#5b4a91, #bfaef0)' },
  { tag: tags.comment, color: 'light-dark(#5f6b7a, #96a1b0)' },
  { tag: [tags.string, tags.attributeValue], color: 'light-dark(#17653a, #74d49b)' },
  { tag: [tags.number, tags.atom, tags.bool], color: 'light-dark(#7a3e00, #f0b072)' },
  { tag: tags.variableName, color: 'light-dark(#7a3e00, #f0b072)' },
  { tag: tags.propertyName, color: 'light-dark(#5b4a91, #bfaef0)' },
  {
    tag: [tags.keyword, tags.processingInstruction],
    color: 'light-dark(#0b57a4, #7fb6f5)',
    fontWeight: '600',
  },
  { tag: tags.punctuation, color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])
