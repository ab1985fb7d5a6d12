import { describe, expect, it } from 'vitest'
import * as jobs from '../../../../src/build/baking/bakery/bake-jobs.ts'
import { Bakery } from '../../../../src/build/baking/bakery/bakery.ts'
import { BuildBakery, type UnreadFrames } from '../../../../src/build/baking/bakery/build-bakery.ts'
import { analyzeMarkup } from '../../../../src/content/frames/frame-markup.ts'
import { FULL_LIMITS } from '../../../../src/content/markup/evaluation/budget.ts'
import { decodePieces } from '../../../../src/content/markup/evaluation/pieces.ts'
import { MAX_WAITING_JOBS, WorkerPool } from '../../../../src/host/concurrency/worker-pool.ts'
import { NO_VALUES, sourcesOf } from '../../../content/markup/evaluation/print.ts'
import { FAST } from '../../../support/timings.ts'
import { use } from '../../../support/use.ts'

const workers = await use(new WorkerPool(FAST.threads))
const bakery = new Bakery(workers)

/** More than `MAX_READ_AHEAD_BYTES`. */
const LARGE = 1024 * 1024

const unread = (frames: readonly jobs.FrameSource[]): UnreadFrames => ({
  bytes: frames.reduce((bytes, { html }) => bytes + (html?.length ?? 0), 0),
  read: async () => frames,
})
const bake = ({ frames, languages }: jobs.BakeJob, key = 'site') =>
  new BuildBakery(bakery, key).bake(unread(frames), languages)
const inspect = ({ frames }: jobs.BakeJob) =>
  new BuildBakery(bakery, 'site').inspect(unread(frames))

const values = { ...NO_VALUES, site: { title: 'A & B' } }
const bind = '<p data-op-bind="site.title">x</p><h1 data-op-bind="page.title">x</h1>'
const jobOf = (html: string): jobs.BakeJob => ({
  frames: sourcesOf({ page: html, card: bind }),
  languages: [
    { lang: 'en', values },
    { lang: 'fr', values: { ...values, site: { title: 'C' } } },
  ],
})

/** Counts the iterations of this thread's event loop until `done` settles. */
async function iterationsUntil(done: Promise<unknown>): Promise<number> {
  let iterations = 0
  let isDone = false
  const ended = done.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    iterations += 1
  }
  await ended
  return iterations
}

describe('the bakery', () => {
  it.each([
    ['small', 1],
    ['large', 2000],
  ])('bakes %s markup like a direct evaluation', async (_, times) => {
    const job = jobOf(`${bind}<!-- svc/frame {"name":"card"} /-->`.repeat(times))
    const expected = jobs.bake(job, jobs.createPrograms(), FULL_LIMITS)
    expect(await bake(job)).toEqual(expected)
    expect(await inspect(job)).toEqual(jobs.inspect(job, jobs.createPrograms()))
    const html = job.frames[0]?.html ?? ''
    expect(await bakery.analyzerFor('site').analyze(html)).toEqual(analyzeMarkup(html))
  })

  it('runs large jobs on another thread', async () => {
    const job = jobOf(bind.repeat(10_000))
    await inspect(job)
    expect(await iterationsUntil(bake(job))).toBeGreaterThan(10)
    const warm = jobOf(bind)
    await bake(warm)
    expect(await iterationsUntil(bake(warm))).toBeLessThan(10)
  })

  it('moves a frame bomb to another thread and stops it there', async () => {
    const frames = Array.from({ length: 10 }, (_, index) => ({
      id: `f${index}`,
      slug: `f${index}`,
      html: index < 9 ? `<!-- svc/frame {"name":"f${index + 1}"} /-->`.repeat(10) : '',
    }))
    const baked = await bake({ frames, languages: [{ lang: null, values }] })
    expect(baked).toMatchObject({ exhausted: true, languages: [{ blocks: 0, bytes: 0 }] })
    expect(baked.languages[0]?.warnings).toHaveLength(1)
  })

  it('finishes pages of any size', async () => {
    for (const times of [1, 20_000]) {
      const job = jobOf(bind.repeat(times))
      const { body } = await bake(job)
      const { html } = await new BuildBakery(bakery, 'site').finish(unread([]), {
        pieces: decodePieces(body, 1),
        values,
        page: { title: 'T' },
        listIds: [],
      })
      expect(html).toBe('<p>C</p><h1>T</h1>'.repeat(times))
    }
  })

  it('reports which limit has cut a page', () => {
    const { body } = jobs.bake(jobOf(bind.repeat(100)), jobs.createPrograms(), FULL_LIMITS)
    const page = { pieces: decodePieces(body, 1), frames: [], values, page: {}, listIds: [] }
    const cutBy = (limits: object) =>
      jobs.finish(page, jobs.createPrograms(), { ...FULL_LIMITS, ...limits }).exhausted
    expect(cutBy({})).toBeUndefined()
    expect(cutBy({ milliseconds: -1 })).toBe('milliseconds')
    expect(cutBy({ steps: 10 })).toBe('steps')
  })

  it('submits the jobs of a build one at a time, and reads large markup only when a thread is free', async () => {
    const build = new BuildBakery(bakery, 'site')
    let reading = 0
    let most = 0
    const frames: UnreadFrames = {
      bytes: LARGE,
      read: async () => {
        reading += 1
        most = Math.max(most, reading)
        await new Promise((resolve) => setImmediate(resolve))
        reading -= 1
        return sourcesOf(bind)
      },
    }
    const jobs = Array.from({ length: MAX_WAITING_JOBS + 10 }, () =>
      build.bake(frames, [{ lang: null, values }]),
    )
    const digests = (await Promise.all(jobs)).map(({ digest }) => digest)
    expect(new Set(digests).size).toBe(1)
    expect(most).toBe(1)
  })

  it("delays a site's job by at most one costly job of another site", async () => {
    const repeat = (body: string) =>
      `<!-- svc/repeat {"source":"dataset.rows"} -->${body}<!-- /svc/repeat -->`
    const rows = Array.from({ length: 1000 }, (_, index) => index)
    const costly: jobs.BakeJob = {
      frames: sourcesOf(repeat(repeat('<b data-op-bind="item">x</b>'))),
      languages: [{ lang: null, values: { ...values, datasets: { rows } } }],
    }
    const ended: string[] = []
    const attack = Array.from({ length: 8 }, () =>
      bake(costly, 'attacker').then(() => ended.push('attacker')),
    )
    const ordinary: UnreadFrames = { bytes: LARGE, read: async () => sourcesOf(bind) }
    await new BuildBakery(bakery, 'victim').bake(ordinary, [{ lang: null, values }])
    expect(ended.length).toBeLessThan(4)
    await Promise.all(attack)
  })
})
