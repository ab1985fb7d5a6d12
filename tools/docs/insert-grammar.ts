import type { MarkdownOptions } from 'vitepress'

type Language = NonNullable<MarkdownOptions['languages']>[number]

/** Inserts within HTML: the language of frames. To HTML they are comments, which would look as if they said nothing. */
export const INSERTS: Language = {
  name: 'inserts',
  scopeName: 'text.html.inserts',
  injectTo: ['text.html.basic'],
  injectionSelector: 'L:text.html.basic -comment',
  repository: {},
  // Names of scopes whose colours are like those of the console's editor.
  patterns: [
    {
      begin: '(<!--)\\s*(/?svc/[a-z-]+)',
      end: '/?-->',
      beginCaptures: {
        1: { name: 'punctuation.definition.insert' },
        2: { name: 'support.function.insert' },
      },
      endCaptures: { 0: { name: 'punctuation.definition.insert' } },
      patterns: [
        { match: '"[^"]*"(?=\\s*:)', name: 'entity.name.function.insert' },
        { match: '"(?:[^"\\\\]|\\\\.)*"', name: 'string.quoted.double' },
        { match: '\\b(?:true|false|null|-?\\d+(?:\\.\\d+)?)\\b', name: 'constant.language' },
      ],
    },
  ],
}
