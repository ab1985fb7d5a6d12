import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { type MarkupReport, createMarkupReport } from '../markup/markup-report.ts'
import { type Rewrite, findRewrite } from '../markup/rewrite-references.ts'
import { parseMarkup } from '../markup/parse-markup.ts'

/** Reads the markup of one site's frames. */
export type MarkupAnalyzer = {
  analyze(html: string): Promise<MarkupReport>
  /** What makes the inserts that name the frame `from` name it `to`. */
  rewrite(html: string, from: string, to: string): Promise<Rewrite>
}

/** Reads on this thread, for programs that answer no requests; between two texts other work may run. */
export const INLINE_ANALYZER: MarkupAnalyzer = {
  analyze: async (html) => {
    await nextMacrotask()
    return createMarkupReport(parseMarkup(html))
  },
  rewrite: async (html, from, to) => {
    await nextMacrotask()
    return findRewrite(html, from, to)
  },
}
