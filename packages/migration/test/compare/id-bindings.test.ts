import { describe, expect, it } from 'vitest'
import { IdBindings } from '../../src/compare/id-bindings.ts'
import { maskTimes } from '../../src/compare/mask-times.ts'

const FRAME = { old: 'aaaaaaaaaaaaaaaa', ours: 'bbbbbbbbbbbbbbbb', before: 'cccccccccccccccc' }
const create = () => new IdBindings({ post: 100, term: 20, taxonomy: 20 }, [FRAME.before])

describe('bindings of ids', () => {
  it('translate new ids at the same positions of answers', () => {
    const bindings = create()
    const answer = (frame: string, menu: number, item: number) => ({
      frame: { id: frame, option: `svc_frame_${frame}` },
      menu: { id: menu, term_taxonomy_id: menu + 1 },
      items: [
        { id: item, parent: 0, page: 7 },
        { id: item + 1, parent: item, page: 7 },
      ],
      order: [item + 1, item],
    })
    const [old, ours] = [answer(FRAME.old, 21, 101), answer(FRAME.ours, 25, 107)]
    bindings.bindAnswers(old, ours)
    expect(bindings.translateAnswer(ours)).toEqual(old)
  })

  it('leave ids from before the writes as they are', () => {
    const bindings = create()
    const old = { menu: { id: 3 }, frame: { id: FRAME.before }, item: { id: 50 } }
    const ours = { menu: { id: 4 }, frame: { id: FRAME.ours }, item: { id: 105 } }
    bindings.bindAnswers(old, ours)
    expect(bindings.translateAnswer(ours)).toEqual(ours)
  })

  it('bind an id only once, so that an exchange of two things remains a difference', () => {
    const bindings = create()
    bindings.bindAnswers(
      [{ items: [{ id: 101 }, { id: 102 }] }],
      [{ items: [{ id: 111 }, { id: 112 }] }],
    )
    expect(bindings.translateAnswer({ items: [{ id: 112 }, { id: 111 }] })).toEqual({
      items: [{ id: 102 }, { id: 101 }],
    })
    bindings.bind('term', 21, 25)
    bindings.bind('term', 22, 25)
    expect(bindings.translate('term', 25)).toBe(21)
  })

  it('take the order of an item for no id, and a list "order" for ids', () => {
    const bindings = create()
    bindings.bind('post', 101, 111)
    expect(bindings.translateAnswer({ item: { id: 111, order: 111 }, order: [111] })).toEqual({
      item: { id: 101, order: 111 },
      order: [101],
    })
  })

  it('bind an item that wp-frames has kept to the one that the old endpoint has made again', () => {
    const bindings = create()
    bindings.bindAnswers({ items: [{ id: 101 }] }, { items: [{ id: 111 }] })
    bindings.bindAnswers(
      { items: [{ id: 103 }, { id: 104 }] },
      { items: [{ id: 111 }, { id: 50 }] },
    )
    expect(bindings.translateAnswer({ items: [{ id: 111 }, { id: 50 }] })).toEqual({
      items: [{ id: 103 }, { id: 104 }],
    })
  })

  it('bind the rest in order', () => {
    const bindings = create()
    bindings.bind('post', 105, 205)
    bindings.bindInOrder('post', [50, 101, 105, 106], [50, 201, 205, 206, 207])
    expect([201, 205, 206, 207].map((id) => bindings.translate('post', id))).toEqual([
      101, 105, 106, 207,
    ])
  })
})

describe('maskTimes', () => {
  it('hides dates around now, in texts at any depth, and no others', () => {
    const now = new Date('2026-03-01T12:00:00Z')
    expect(
      maskTimes(
        {
          a: ['at 2026-03-01 11:59:58', 'local 2026-03-02 02:00:00'],
          b: '2025-12-31 00:00:00',
          c: 3,
        },
        now,
      ),
    ).toEqual({ a: ['at <date>', 'local <date>'], b: '2025-12-31 00:00:00', c: 3 })
  })
})
