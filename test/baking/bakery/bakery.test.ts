import { afterAll, describe, expect, it } from 'vitest'
import * as jobs from '../../../src/baking/bakery/bake-jobs.ts'
import { Bakery } from '../../../src/baking/bakery/bakery.ts'
import { FULL_LIMITS } from '../../../src/baking/budget.ts'
import { decodePieces } from '../../../src/baking/encode-pieces.ts'
import { readMarkup } from '../../../src/frames/report.ts'
import { NO_VALUES, sourcesOf } from '../print.ts'

const bakery = new Bakery()
afterAll(() => bakery.close())

const values = { ...NO_VALUES, site: { title: 'A & B' } }
const bind = '<p data-op-bind="site.title">x</p><h1 data-op-bind="page.title">x</h1>'
const jobOf = (html: string): jobs.BakeJob => ({
  frames: sourcesOf({ page: html, card: bind }),
  languages: [
    { lang: 'en', values },
    { lang: 'fr', values: { ...values, site: { title: 'C' } } },
  ],
})

/** Counts the turns of this thread's event loop until something is done. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const ended = done.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  await ended
  return turns
}

describe('the bakery', () => {
  it.each([
    ['small', 1],
    ['large', 2000],
  ])('bakes %s markup as it should be baked', async (_, times) => {
    const job = jobOf(`${bind}<!-- svc/frame {"name":"card"} /-->`.repeat(times))
    const expected = jobs.bake(job, jobs.createPrograms(), FULL_LIMITS)
    expect(await bakery.bake(job)).toEqual(expected)
    expect(await bakery.inspect(job)).toEqual(jobs.inspect(job, jobs.createPrograms()))
    const html = job.frames[0]?.html ?? ''
    expect(await bakery.report(html)).toEqual(readMarkup(html))
  })

  it('does large work on another thread', async () => {
    const job = jobOf(bind.repeat(10_000))
    await bakery.inspect(job)
    expect(await turnsUntil(bakery.bake(job))).toBeGreaterThan(10)
    const warm = jobOf(bind)
    await bakery.bake(warm)
    expect(await turnsUntil(bakery.bake(warm))).toBeLessThan(10)
  })

  it('takes a frame bomb to another thread, and ends it there', async () => {
    const frames = Array.from({ length: 10 }, (_, index) => ({
      id: `f${index}`,
      slug: `f${index}`,
      html: index < 9 ? `<!-- svc/frame {"name":"f${index + 1}"} /-->`.repeat(10) : '',
    }))
    const baked = await bakery.bake({ frames, languages: [{ lang: null, values }] })
    expect(baked).toMatchObject({ exhausted: true, languages: [{ blocks: 0, bytes: 0 }] })
    expect(baked.languages[0]?.warnings).toHaveLength(1)
  })

  it('finishes pages of any size', async () => {
    for (const times of [1, 20_000]) {
      const job = jobOf(bind.repeat(times))
      const { body } = await bakery.bake(job)
      const html = await bakery.finish({
        pieces: decodePieces(body, 1),
        frames: [],
        values,
        page: { title: 'T' },
        listIds: [],
      })
      expect(html).toBe('<p>C</p><h1>T</h1>'.repeat(times))
    }
  })

  it('goes on after it was closed', async () => {
    const job = jobOf(bind.repeat(2000))
    await bakery.close()
    expect((await bakery.bake(job)).languages).toHaveLength(2)
  })
})
