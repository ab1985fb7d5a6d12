import type { MarkupAnalyzer } from '../../content/frames/frame-markup.ts'
import { markupDigest } from '../../content/frames/markup-digests.ts'
import type { MarkupReport } from '../../content/markup/markup-report.ts'

/** Markups whose reports and digests are kept. A description has the same ones for all of its sites. */
const MAX_MARKUPS = 1000

/** Analyzes and digests each markup once. */
export class MarkupCache implements MarkupAnalyzer {
  readonly #analyzer: MarkupAnalyzer
  readonly #reports = new Map<string, Promise<MarkupReport>>()
  readonly #digests = new Map<string, string>()

  constructor(analyzer: MarkupAnalyzer) {
    this.#analyzer = analyzer
  }

  analyze(html: string): Promise<MarkupReport> {
    return remember(this.#reports, html, () => this.#analyzer.analyze(html))
  }

  rewrite(...sent: Parameters<MarkupAnalyzer['rewrite']>): ReturnType<MarkupAnalyzer['rewrite']> {
    return this.#analyzer.rewrite(...sent)
  }

  digest(html: string): string {
    return remember(this.#digests, html, () => markupDigest(html))
  }
}

function remember<T>(known: Map<string, T>, key: string, create: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= MAX_MARKUPS) known.clear()
  const value = create()
  known.set(key, value)
  return value
}
