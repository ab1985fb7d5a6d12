import { describe, expect, it } from 'vitest'
import { INLINE_ANALYZER, type MarkupAnalyzer } from '../../../src/content/frames/frame-markup.ts'
import { markupDigest } from '../../../src/content/frames/markup-digests.ts'
import { MarkupCache } from '../../../src/network/plan/plan-context.ts'

/** More than the cache keeps. */
const MANY = 1001

/** A cache, and what it has let analyze. */
function openCache() {
  const analyzed: string[] = []
  const analyzer: MarkupAnalyzer = {
    analyze: (html) => {
      analyzed.push(html)
      return INLINE_ANALYZER.analyze(html)
    },
    rewrite: (...sent) => INLINE_ANALYZER.rewrite(...sent),
  }
  return { analyzed, cache: new MarkupCache(analyzer) }
}

describe('the cache of markup', () => {
  it('analyzes equal markup once, also at the same time', async () => {
    const { analyzed, cache } = openCache()
    const html = '<!-- svc/frame {"name":"one","slug":"two"} /-->'
    const reports = await Promise.all([cache.analyze(html), cache.analyze(html)])
    reports.push(await cache.analyze(html))
    expect(analyzed).toEqual([html])
    const report = await INLINE_ANALYZER.analyze(html)
    expect(reports).toEqual([report, report, report])
  })

  it('gives each markup its own report and digest', async () => {
    const { cache } = openCache()
    const [one, two] = ['<!-- svc/frame {"name":"one"} /-->', '<p>two</p>']
    expect(await cache.analyze(one)).not.toEqual(await cache.analyze(two))
    for (const html of [one, two, one]) expect(cache.digest(html)).toBe(markupDigest(html))
  })

  it('forgets what was used least when it is full, so that it does not grow without limit', async () => {
    const { analyzed, cache } = openCache()
    await cache.analyze('first')
    for (let at = 1; at < MANY; at += 1) await cache.analyze(`markup ${at}`)
    await cache.analyze('first')
    expect(analyzed.filter((html) => html === 'first')).toHaveLength(2)
  })
})
