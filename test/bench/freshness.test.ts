import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CopyWatch, hides, isGone, shows } from '../../bench/freshness/copy-watch.ts'
import { EditTimesLog } from '../../bench/freshness/edit-times.ts'
import { generatePages } from '../../bench/freshness/network/page-tree.ts'
import type { PassResults } from '../../bench/freshness/passes.ts'
import { freshnessTable } from '../../bench/freshness/report/freshness-table.ts'
import { freshnessVerdicts } from '../../bench/freshness/report/freshness-verdicts.ts'
import { parseOptions } from '../../bench/options.ts'
import { groupBy } from '../../src/group-by.ts'
import { useFolder } from '../support/use.ts'

const folder = await useFolder('copies')

describe('CopyWatch', () => {
  const write = (file: string, html: string): void => {
    writeFileSync(`${file}.new`, html)
    renameSync(`${file}.new`, file)
  }

  it('finds files that appear, change and disappear', async () => {
    const watch = new CopyWatch()
    const { signal } = new AbortController()
    const file = join(folder, 'index.html')
    const appeared = watch.until(shows(file, 'first'), signal)
    write(file, 'first')
    const at = await appeared
    expect(at).toBeLessThanOrEqual(performance.now())
    const changed = watch.until(hides(file, 'first'), signal)
    write(file, 'second')
    expect(await changed).toBeGreaterThanOrEqual(at ?? Infinity)
    const gone = watch.until(isGone(file), signal)
    rmSync(file)
    expect(await gone).toBeDefined()
  })

  it('gives up when it is aborted', async () => {
    const over = new AbortController()
    const found = new CopyWatch().until(shows(join(folder, 'none.html'), 'text'), over.signal)
    over.abort()
    expect(await found).toBeUndefined()
  })
})

describe('generated pages', () => {
  it.each([10, 200, 2000])('are %i pages in two languages that translate each other', (count) => {
    const pages = generatePages(count, true)
    expect(pages).toHaveLength(count)
    const byId = new Map(pages.map((page) => [page.id, page]))
    expect(byId.size).toBe(count)
    for (const page of pages) {
      const other = byId.get(page.translation)
      expect([other?.translation, other?.lang]).toEqual([page.id, page.lang === 'en' ? 'fr' : 'en'])
      if (page.parent > 0) expect(byId.get(page.parent)?.lang).toBe(page.lang)
    }
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(count)
  })

  it('have enough pages for each kind of edits, and one list of pages', () => {
    const frames = groupBy(generatePages(200, true), ({ frame }) => frame)
    expect(frames.get('page-sitemap')).toHaveLength(1)
    expect(frames.get('page-article')?.length).toBeGreaterThan(80)
    expect(frames.get('page-plain')?.length).toBeGreaterThan(80)
    expect(generatePages(10, false)).toHaveLength(10)
  })
})

describe('the report of freshness', () => {
  const log = new EditTimesLog()
  for (let ms = 1; ms <= 100; ms += 1)
    log.collect('text', 'small', 20_000)('title', { firstMs: ms, allMs: ms })
  for (const allMs of [300, undefined])
    log.collect('site', 'large', 180_000)('blogname', { firstMs: 200, allMs })
  log.collect('tree', 'large', 20_000)('slug', { firstMs: undefined, allMs: undefined })
  const results: PassResults = {
    pass: 'poll',
    date: '2026-11-22',
    commit: '',
    sites: 20,
    pages: 300,
    limitMs: 20_000,
    quiet: {
      seconds: 60,
      serviceCpu: 0.1,
      databaseCpu: 0.05,
      statementsPerSecond: 12.34,
      peakBytes: 100 * 1024 ** 2,
    },
    roundMs: 500,
    edits: log.all(),
    rendered: [{ site: 'large', edits: 5, files: 1, rendered: 2 }],
    millions: [],
  }

  it('contains percentiles of many times, and few times themselves', () => {
    const table = freshnessTable([results])
    expect(table).toContain('| title | 51 / 100 / 100 |  |')
    expect(table).toContain('| slug |  | > 20000 |')
    expect(table).toContain('| blogname |  | first 200, 200; all 300, > 180000 |')
    expect(table).toContain('| CPU of a round of the poll, service + database, ms | 250 + 125 |')
    expect(table).not.toContain('sampled copies')
  })

  it('is compared with its targets', () => {
    const missed = freshnessVerdicts([results]).flatMap(({ met, what }) => (met ? [] : [what]))
    expect(missed).toEqual([
      'ms of the slowest edit (tree, large site): slug,',
      'idle share of a core',
      'pages rendered for a title, large site',
    ])
  })
})

describe('the options of freshness', () => {
  it('have defaults and limits', () => {
    const { freshness } = parseOptions(['--only', 'freshness'])
    expect(freshness).toMatchObject({ sites: 1000, pages: 20_000, passes: ['feed', 'poll'] })
    expect(parseOptions(['--passes', 'poll']).freshness.passes).toEqual(['poll'])
    expect(() => parseOptions(['--passes', 'wire'])).toThrow('--passes takes feed')
    expect(() => parseOptions(['--sites', '2'])).toThrow('--sites takes a number from 4')
  })
})
