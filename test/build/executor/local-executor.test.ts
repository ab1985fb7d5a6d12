import { createHash } from 'node:crypto'
import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { MAX_CLOSURE_BYTES } from '../../../src/content/markup/evaluation/budget.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { Metrics } from '../../../src/host/metrics.ts'
import { listen } from '../../support/listen.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { openUnreachable } from '../../support/open-database.ts'
import { recordLog } from '../../support/recorded-log.ts'
import { FAST } from '../../support/timings.ts'
import { useExecutorFixture } from './executor-fixture.ts'

const built = await useExecutorFixture()

it('the executor logs and counts a build that could not start as failed, with or without a frame', async () => {
  const { log, entries } = recordLog('info')
  const db = openUnreachable()
  const metrics = new Metrics(FAST.health)
  const unable = createTestExecutor({ db, globals: built.network.globals, log, metrics })
  const change = { bake: true, work: [], version: 1 }
  const { rebaked } = await unable.apply(built.site, change)
  expect(rebaked).toMatchObject({ status: 'failed', message: expect.stringContaining('the log') })
  expect(entries()).toEqual([
    expect.objectContaining({
      site: built.site.blogId,
      msg: 'build failed',
      err: expect.objectContaining({ code: 'ECONNREFUSED' }),
    }),
  ])
  expect(await bakesOf(metrics, 'failed')).toBe('1')
  await unable.apply(built.site, { ...change, frame: '0123456789abcdef' })
  expect(await bakesOf(metrics, 'failed')).toBe('2')
  await unable.close()
  await db.close()
})

it('the executor builds a frame from the stored markup if another write came after the change', async () => {
  await built.frame('raced', '<p>last</p>', { bake: false })
  const html = '<p>first</p>'
  const markup = { html, sha256: createHash('sha256').update(html).digest('hex'), isNew: true }
  const frame = await built.idOf('raced')
  await built.apply({ work: workOn('frame', [frame]), frame, markup })
  expect(await built.copyOf('raced')).toContain('last')
  expect(await built.copyOf('raced')).not.toContain('first')
})

const PAGE = 10
const MEGABYTE = 1024 * 1024
const name = (index: number) => `part-${index}`
const parts = Array.from({ length: 18 }, (_, index) => name(index))
const embeds = parts.map((slug) => `<!-- svc/frame {"name":"${slug}"} /-->`).join('')

/** A frame of one megabyte that prints only its own name. */
const large = (slug: string) =>
  `<i>${slug}</i><!-- svc/repeat {"source":"dataset.none"} -->${'x'.repeat(MEGABYTE)}<!-- /svc/repeat -->`

for (const slug of parts) await built.frame(slug, large(slug), { bake: false })

const printed = (slugs: readonly string[]) => slugs.map((slug) => `<i>${slug}</i>`).join('')
const warning = (slug: string) =>
  `all: "${slug}" prints nothing, because "all" and its embedded frames exceed 16 MB of markup.`

describe('a frame that embeds more markup than a build reads', () => {
  it('prints the embedded frames up to the limit, in order, and reports the omitted ones', async () => {
    const { bake } = await built.frame('all', embeds)
    expect(bake).toMatchObject({ status: 'ok', response: { frames: parts } })
    const warnings = bake.status === 'ok' ? bake.response.warnings : []
    expect(warnings).toEqual(parts.slice(15).map(warning))
    await built.assign('all', [PAGE])
    expect(await built.render(PAGE)).toBe(printed(parts.slice(0, 15)))
  })

  it('is rebuilt only if a frame in it changes', async () => {
    expect((await built.touch('menus')).rebaked.total).toBe(0)
    const graph = await readSiteGraph(built.network.db, built.site)
    const id = await built.idOf('all')
    const before = await built.copyOf('all')
    expect(await built.render(PAGE)).toBe(printed(parts.slice(0, 15)))
    expect(await built.copyOf('all')).toBe(before)
    expect(graph.closureBytes(id)).toBeGreaterThan(MAX_CLOSURE_BYTES)
    // An omitted frame is included once an earlier one becomes small.
    const { rebaked } = await built.frame(name(0), '<i>part-0</i>')
    expect(rebaked).toMatchObject({ baked: 1, frames: [{ slug: 'all' }] })
    expect(await built.render(PAGE)).toBe(printed(parts.slice(0, 16)))
  })

  it('omits the same frames if they are deferred', async () => {
    // The page has one ancestor.
    const waiting = `<!-- svc/repeat {"source":"page.ancestors"} -->${embeds}<!-- /svc/repeat -->`
    await built.frame('all', waiting)
    expect(await built.render(PAGE)).toBe(printed(parts.slice(0, 16)))
  })
})

const shop = await useExecutorFixture()
await shop.frame('card', 'x')
await shop.frame('page', '<h1 data-op-bind="page.title">x</h1><!-- svc/frame {"name":"card"} /-->')
await shop.assign('page', [10])
await shop.setOption(recordOption(await shop.idOf('page')), 'a:5:{s:4:"slug";s:4:"pa')

/** Unhandled rejections: one of them would end the process. */
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

let others: NodeJS.UnhandledRejectionListener[] = []

beforeEach(() => {
  others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
})

afterEach(() => {
  process.off('unhandledRejection', note)
  for (const listener of others) process.on('unhandledRejection', listener)
})

/** The event is emitted once the microtasks are done: in the first macrotask after the one that rejected, at the latest. */
const assertHandled = async (): Promise<void> => {
  await nextMacrotask()
  await nextMacrotask()
  expect(unhandled).toEqual([])
}

it('rendering a page on a damaged frame fails with frame_unreadable and no unhandled rejection', async () => {
  await shop.network.db
    .sql(shop.site.tables.options)
    .where('option_name', 'like', '%_baked')
    .delete()
  await expect(shop.render(10)).rejects.toMatchObject({ code: 'frame_unreadable' })
  await assertHandled()
})

it('a write of a frame that a damaged frame embeds reports the failed build', async () => {
  const effects = await shop.frame('card', 'new')
  expect(effects).toMatchObject({ bake: { status: 'ok' }, rebaked: { status: 'failed' } })
  await assertHandled()
})

async function bakesOf(metrics: Metrics, outcome: string): Promise<string | undefined> {
  const { port, close } = await listen(metrics.listener())
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await close()
  return new RegExp(`^wp_frames_bakes_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(page)?.[1]
}

it('the metric counts the bakes of a change for which no client waits', async () => {
  const { network, site, frame } = built
  await frame('inner', 'x')
  await frame('outer', '<!-- svc/frame {"name":"inner"} /-->', { bake: false })
  const metrics = new Metrics(FAST.health)
  const executor = createTestExecutor({ ...network, metrics, budget: () => 0 })
  const id = await built.idOf('outer')
  await executor.apply(site, { bake: true, work: workOn('frame', [id]) })
  await executor.finish(site.blogId)
  expect(await bakesOf(metrics, 'baked')).toBe('1')
  await executor.close()
})
