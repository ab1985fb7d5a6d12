import { describe, expect, it } from 'vitest'
import { type Frames, print } from './print.ts'

const rows = Array.from({ length: 1000 }, (_, index) => ({ n: index, rows: [1, 2, 3] }))
const values = {
  datasets: {
    rows,
    wide: Object.fromEntries(rows.map((row) => [`k${row.n}`, rows])),
  },
}
const page = { id: 1, title: 'x', children: rows, ancestors: [] }

/** Ten frames that each embed the next one ten times. */
function tenfold(text: string, props = ''): Frames {
  return Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `f${index}`,
      text + (index < 9 ? `<!-- svc/frame {"name":"f${index + 1}"${props}} /-->`.repeat(10) : ''),
    ]),
  )
}

const repeat = (source: string, body: string) =>
  `<!-- svc/repeat {"source":"${source}"} -->${body}<!-- /svc/repeat -->`
const times = (count: number, text: string) => text.repeat(count)

const hundred = (bind: (index: number) => string) =>
  Array.from({ length: 100 }, (_, index) => bind(index)).join(';')
const refused = hundred((index) => `on${index}:item.n`)
const attributes = hundred((index) => `a${index}:item.n`)

const TOO_MUCH = 'The frame has too many inserts, binds and rows; the rest was omitted.'
const TOO_LONG = 'The output exceeds 8 MB; the rest was omitted.'

describe('the evaluation of a frame bomb', () => {
  it.each<[string, Frames, string]>([
    ['without text', tenfold(''), TOO_MUCH],
    ['with text', tenfold('<p>text</p>'), TOO_MUCH],
    ['with much text', tenfold(times(1000, '<p>text</p>')), TOO_LONG],
    [
      'with properties',
      tenfold('<p data-op-bind="title:props.x">x</p>', `,"x":"${times(5000, 'x')}"`),
      TOO_LONG,
    ],
    [
      'with binds without a value',
      tenfold('<p data-op-bind="if:props.a;if:props.b;title:props.c;props.d">x</p>'),
      TOO_MUCH,
    ],
    [
      'with a hundred refused binds each',
      repeat('dataset.rows', repeat('dataset.rows', `<b data-op-bind="${refused}">x</b>`)),
      TOO_MUCH,
    ],
    [
      'with a hundred attributes each',
      repeat('dataset.rows', repeat('dataset.rows', `<b data-op-bind="${attributes}">x</b>`)),
      TOO_MUCH,
    ],
    [
      'of repeats of repeats',
      repeat(
        'dataset.rows',
        repeat('dataset.rows', repeat('dataset.rows', '<i data-op-bind="item.n"></i>')),
      ),
      TOO_MUCH,
    ],
    [
      'of empty repeats',
      repeat(
        'dataset.rows',
        repeat('dataset.wide', repeat('dataset.rows', repeat('item.none', 'x'))),
      ),
      TOO_MUCH,
    ],
    [
      'of deferred binds',
      repeat('dataset.rows', repeat('dataset.rows', '<b data-op-bind="page.title">x</b>')),
      TOO_MUCH,
    ],
    [
      'of rows stored with deferred pieces',
      repeat(
        'dataset.wide',
        `${repeat('item', '<b data-op-bind="page.title">x</b>')}<!-- svc/repeat {"source":"page.children"} -->${times(50_000, 'y')}<!-- /svc/repeat -->`,
      ),
      TOO_MUCH,
    ],
  ])('%s stops with a warning', (_, frames, warning) => {
    const { html, warnings } = print(frames, { values })
    expect(warnings).toContain(warning)
    expect(html.length).toBeLessThanOrEqual(8 * 1024 * 1024)
  })

  it('of deferred frames with long names stops', () => {
    const name = (index: number) => `${index}-${times(190, 'x')}`
    const frames = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        name(index),
        index < 29
          ? times(index < 24 ? 1 : 9, `<!-- svc/frame {"name":"${name(index + 1)}"} /-->`)
          : '<b data-op-bind="page.title">x</b>',
      ]),
    )
    expect(print(frames).warnings).toEqual([TOO_LONG])
  })

  it('that is deferred stops', () => {
    const markup = repeat(
      'page.children',
      repeat('page.children', '<b data-op-bind="item.n">x</b>'),
    )
    const { html } = print(markup, { values, page })
    expect(html).toMatch(/^<b>0<\/b><b>1<\/b>/)
    expect(html.length).toBeLessThan(8 * 1024 * 1024)
  })

  it.each([
    ['elements', '<b data-op-bind="if:dataset.rows">', '</b>'],
    ['repeats', '<!-- svc/repeat {"source":"dataset.one"} -->', '<!-- /svc/repeat -->'],
    ['deferred elements', '<b data-op-bind="if:page.title">', '</b>'],
  ])('of %s nested across frames stops', (_, open, close) => {
    const frames = Object.fromEntries(
      Array.from({ length: 32 }, (_, index) => [
        `f${index}`,
        `${times(100, open)}<!-- svc/frame {"name":"f${index + 1}"} /-->${times(100, close)}`,
      ]),
    )
    const { warnings } = print(frames, {
      values: { datasets: { ...values.datasets, one: [1] } },
      page,
    })
    expect(warnings).toContain(
      'f3: elements are nested more than 400 levels deep; deeper ones print nothing.',
    )
  })

  it('of deferred conditions in nested elements stops', () => {
    const open = `<b data-op-bind="${hundred(() => 'if:page.title')}">`
    const { html, warnings } = print(`${times(100, open)}x${times(100, '</b>')}`, { values, page })
    expect(html).toBe(`${times(100, '<b>')}x${times(100, '</b>')}`)
    expect(warnings).toEqual([])
  })

  it('of nested frames stops at 32 levels', () => {
    const frames = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `f${index}`,
        `${index},<!-- svc/frame {"name":"f${index + 1}"} /-->`,
      ]),
    )
    const { html, warnings } = print(frames)
    expect(html).toBe(Array.from({ length: 32 }, (_, index) => `${index},`).join(''))
    expect(warnings).toEqual([
      'f31: frames are nested more than 32 levels deep; deeper ones print nothing.',
    ])
  })

  it('adds a limited number of messages', () => {
    const markup = times(
      5000,
      '<i data-op-bind="site.what"></i><!-- svc/frame {"name":"what"} /-->',
    )
    const { unresolved, warnings } = print({ page: markup })
    expect(unresolved).toHaveLength(100)
    expect(warnings).toHaveLength(1)
    const long = `<!-- svc/frame {"name":"${times(10_000, 'x')}"} /--><i data-op-bind="${times(10_000, 'y')}"></i>`
    const report = print({ page: long })
    expect(JSON.stringify([report.warnings, report.unresolved]).length).toBeLessThan(1000)
  })
})
