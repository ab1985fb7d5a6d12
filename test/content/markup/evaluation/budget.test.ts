import { describe, expect, it } from 'vitest'
import * as jobs from '../../../../src/build/baking/bakery/bake-jobs.ts'
import {
  Budget,
  FULL_LIMITS,
  inlineLimits,
} from '../../../../src/content/markup/evaluation/budget.ts'
import { PieceWriter } from '../../../../src/content/markup/evaluation/pieces.ts'
import type { Values } from '../../../../src/content/markup/evaluation/values.ts'
import { item, menu, NO_VALUES, sourcesOf } from './print.ts'

const rows = Array.from({ length: 1000 }, (_, index) => ({ n: index, title: `Row ${index}` }))
const values: Values = {
  ...NO_VALUES,
  site: { id: 1 },
  pages: rows,
  datasets: {
    rows,
    wide: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index])),
    text: `<&>"'`.repeat(50_000),
    address: `javascript:${'x'.repeat(300_000)}`,
  },
  menus: {
    '["header",null,null]': menu(
      Array.from({ length: 10_000 }, (_, index) => item({ id: index + 1, parent: index })),
    ),
  },
}

const repeat = (body: string, source = 'pages') =>
  `<!-- svc/repeat {"source":"${source}"} -->${body}<!-- /svc/repeat -->`
const bound = (bind: string, count = 1) =>
  `<b data-op-bind="${Array.from({ length: count }, () => bind).join(';')}">x</b>`

describe('an evaluation on the main thread', () => {
  // Each would take seconds if its parts took no steps, or if the clock were read too rarely.
  it.each([
    ['conditions', repeat(bound('if:site.id', 5585))],
    ['deferred conditions', repeat(repeat(bound('if:page.id', 100)))],
    ['conditions on a wide object', repeat(repeat(bound('if:dataset.wide', 100)))],
    ['unknown names', repeat(repeat(bound('if:site.none', 100)))],
    ['long values', repeat(repeat(bound('dataset.text')))],
    ['long values in attributes', repeat(repeat(bound('title:dataset.text')))],
    ['long addresses', repeat(repeat(bound('href:dataset.address')))],
    ['empty rows', repeat(repeat(repeat('')))],
    ['rows of an object', repeat(repeat('', 'dataset.wide'))],
    ['long text', repeat(repeat('y'.repeat(50_000)))],
    ['a large menu', '<!-- svc/menu {"location":"header"} /-->'.repeat(100)],
    ['rows of a large menu', repeat(repeat('', 'menu.header'))],
    ['missing frames', repeat(repeat('<!-- svc/frame {"name":"none"} /-->'))],
  ])('stops early: %s', (_, html) => {
    const job = { frames: sourcesOf(html), languages: [{ lang: null, values }] }
    const programs = jobs.createPrograms()
    jobs.inspect(job, programs)
    const start = process.cpuUsage()
    expect(jobs.bake(job, programs, inlineLimits(1)).exhausted).toBe(true)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(1000)
  })
})

describe('Budget', () => {
  it('counts steps taken together, and reads the clock for them', () => {
    const budget = new Budget({ ...FULL_LIMITS, milliseconds: 0 })
    expect(budget.takeStep()).toBe(true)
    expect(budget.takeStep(100)).toBe(false)
    expect(budget.exhausted).toBe('milliseconds')
    const other = new Budget({ ...FULL_LIMITS, steps: 10 })
    expect([other.takeStep(10), other.takeStep()]).toEqual([true, false])
  })

  it('reads the clock for long text', () => {
    const out = new PieceWriter(new Budget({ ...FULL_LIMITS, milliseconds: 0 }))
    for (let index = 0; index < 10; index += 1) out.html('x'.repeat(100_000))
    expect(out.pieces().length).toBeLessThan(3)
  })

  it('measures a stored value only up to the remaining bytes', () => {
    const budget = new Budget({ ...FULL_LIMITS, bytes: 1000 })
    let read = 0
    const endless = new Proxy(
      {},
      {
        ownKeys: () => ['again'],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        get: () => {
          read += 1
          return endless
        },
      },
    )
    budget.takeStored(endless)
    expect(budget.exhausted).toBe('bytes')
    expect(read).toBeLessThan(1000)
  })
})
