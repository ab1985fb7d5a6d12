import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { getFrame } from '../../../src/content/frames/read-frame.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { prepareRename, renameFrame } from '../../../src/content/frames/rename-frame.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import { useFramesApi } from '../../support/frames-api.ts'
import { createTestExecutor } from '../../support/local-executor.ts'

const NOW = '2026-01-02 03:04:05'

const frames = await useFramesApi()

describe('a frame with more than 16 MB of markup in it', () => {
  it('is stored, with warnings that some of it will print nothing', async () => {
    const { db } = frames.network
    const site = await frames.network.site(2)
    const slugs = Array.from({ length: 9 }, (_, index) => `large-${index}`)
    for (const slug of slugs) {
      const write = { slug, html: 'x'.repeat(2_000_000), userId: 1, now: NOW, bake: false }
      await db.write({}, (tx) => createFrame(tx, site, write))
    }
    const html = slugs.map((slug) => `<!-- svc/frame {"name":"${slug}"} /-->`).join('')
    for (const dry_run of [true, false]) {
      const sent = { slug: 'all', html, dry_run }
      const { status, body } = await frames.send('post', '/frames', sent)
      expect(status).toBe(200)
      expect(body.warnings).toEqual([
        'This frame and its embedded frames exceed 16 MB of markup, so 1 of them print nothing. Split the frame, or embed fewer or smaller frames.',
      ])
      expect(body.applied).toBe(!dry_run)
    }
  })
})

describe('a rename', () => {
  it('of a frame that large frames embed does not delay other requests, and rewrites all of them', async () => {
    const { db } = frames.network
    const site = await frames.network.site(2)
    const embed = (slug: string) => `<!-- svc/frame {"name":"${slug}"} /-->`
    const around = '<p data-op-bind="site.title">x</p>'.repeat(55_000)
    const html = `${embed('tiny')}${around}${embed('tiny')}`
    const report = analyzeMarkup(html)
    const slugs = Array.from({ length: 4 }, (_, index) => `embedder-${index}`)
    const write = { userId: 1, now: NOW, bake: false }
    for (const slug of ['tiny', ...slugs]) {
      const markup = slug === 'tiny' ? { html: 'x' } : { html, report }
      await db.write({}, (tx) => createFrame(tx, site, { ...write, slug, ...markup }))
    }
    for (const [to, dry_run] of [
      ['never', true],
      ['renamed', false],
    ] as const) {
      const stalls = monitorEventLoopDelay({ resolution: 10 })
      stalls.enable()
      const sent = { slug: to, dry_run, bake: false }
      const { status, body } = await frames.send('patch', '/frames/tiny', sent)
      stalls.disable()
      expect(status).toBe(200)
      expect(body.renamed).toMatchObject({ from: 'tiny', to, frames_updated: slugs })
      expect(body.renamed.details[0].replaced).toBe(2)
      // In nanoseconds. On the main thread, scanning these frames takes four seconds or more.
      expect(stalls.max / 1e9).toBeLessThan(2)
    }
    const after = `${embed('renamed')}${around}${embed('renamed')}`
    const reportAfter = analyzeMarkup(after)
    for (const slug of slugs) {
      const { record, meta } = await getFrame(db, site, slug)
      expect(record.html === after).toBe(true)
      expect(meta).toEqual(metaOf(record, reportAfter))
    }
  })

  it('rewrites a frame that was changed after the preparation', async () => {
    const { db } = frames.network
    const site = await frames.network.site(2)
    const executor = createTestExecutor({ ...frames.network })
    const reader = executor.markupAnalyzer(site)
    const write = { userId: 1, now: NOW, bake: false }
    const embed = '<!-- svc/frame {"name":"before"} /-->'
    const large = 'x'.repeat(100_000)
    await db.write({}, (tx) => createFrame(tx, site, { ...write, slug: 'before', html: 'x' }))
    for (const slug of ['changed', 'unchanged'])
      await db.write({}, (tx) => createFrame(tx, site, { ...write, slug, html: embed + large }))
    await prepareRename(db, site, 'before', { slug: 'after', analyzer: reader })
    await db.write({}, (tx) =>
      replaceFrame(tx, site, 'changed', { ...write, html: `new ${embed}${large}` }),
    )
    await db.write({}, (tx) =>
      renameFrame(tx, site, 'before', { ...write, slug: 'after', analyzer: reader }),
    )
    const renamed = embed.replace('before', 'after')
    expect((await getFrame(db, site, 'changed')).record.html).toBe(`new ${renamed}${large}`)
    expect((await getFrame(db, site, 'unchanged')).record.html).toBe(renamed + large)
    await executor.close()
  })
})
