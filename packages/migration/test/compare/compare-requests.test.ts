import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { RequestComparison } from '../../src/compare/compare-requests.ts'
import type { ComparedRequest, TimedAnswer } from '../../src/compare/compared-request.ts'

const request = (path: string, kind: ComparedRequest['kind'] = 'menus'): ComparedRequest => ({
  kind,
  route: `GET ${path}`,
  method: 'GET',
  path,
})

const answer = (body: object, status = 200): TimedAnswer => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
  ms: 1,
})

/** Answers in this order; the last one is repeated. */
const answering = (...bodies: object[]) => {
  let at = 0
  return async (): Promise<TimedAnswer> => {
    const body = bodies[Math.min(at, bodies.length - 1)] ?? {}
    at += 1
    return answer(body)
  }
}

const compared = async (
  ask: Omit<ConstructorParameters<typeof RequestComparison>[0], 'pauseMs'>,
  most = 15,
  paths = ['/menus'],
) => {
  const comparison = new RequestComparison({ ...ask, pauseMs: 5 }, { most })
  for (const path of paths) await comparison.compare(request(path))
  await comparison.confirm()
  return comparison.result()
}

describe('a comparison of requests', () => {
  it('asks once for what is equal, and twice for what differs', async () => {
    const equal = await compared({ old: answering({ a: 1 }), ours: answering({ a: 1 }) })
    expect([equal.requests, equal.differences]).toEqual([{ old: 1, ours: 1 }, []])
    const other = await compared({ old: answering({ a: 1 }), ours: answering({ a: 2 }) })
    expect(other.requests).toEqual({ old: 2, ours: 2 })
    expect(other.differences).toMatchObject([{ field: 'a', kind: 'value', confirmed: true }])
  })

  it('keeps no answer that it does not compare any more', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const answers: WeakRef<Uint8Array>[] = []
    const ask = (number: number) => async (): Promise<TimedAnswer> => {
      const given = answer({ a: number })
      answers.push(new WeakRef(given.body))
      return given
    }
    const sides = { old: ask(1), ours: ask(2), pauseMs: 5 }
    const comparison = new RequestComparison(sides, { most: 100, twice: true })
    for (const path of ['/a', '/b', '/c']) await comparison.compare(request(path))
    await new Promise((next) => setImmediate(next))
    collect()
    expect(answers.map((body) => body.deref())).toEqual(answers.map(() => undefined))
    expect(comparison.result().differences).toHaveLength(3)
  })

  it('takes what the old endpoint answers differently for noise, and nothing else', async () => {
    const { differences, noise } = await compared({
      old: answering({ time: 1, id: '1' }, { time: 2, id: '1' }),
      ours: answering({ time: 0, id: 1 }),
    })
    expect(differences.map(({ field }) => field)).toEqual(['id'])
    expect(noise).toEqual([{ route: 'GET /menus', field: 'time' }])
  })

  it('still finds a field that is missing, whose values are noise', async () => {
    const { differences } = await compared({
      old: answering({ time: 1, a: 1 }, { time: 2, a: 1 }),
      ours: answering({ a: 1 }),
    })
    expect(differences).toMatchObject([{ field: 'time', kind: 'missing' }])
  })

  it('asks for one of several requests that differ alike', async () => {
    const { requests, differences } = await compared(
      { old: answering({ a: 1 }), ours: answering({ a: '1' }) },
      15,
      ['/a', '/b', '/c'],
    )
    expect(requests).toEqual({ old: 4, ours: 4 })
    expect(differences.map(({ route, confirmed }) => [route, confirmed])).toEqual([
      ['GET /a', true],
      ['GET /b', true],
      ['GET /c', true],
    ])
  })

  it('finds no difference where rows changed between the answers', async () => {
    const { differences, notComparable } = await compared({
      old: answering({ a: 1 }, { a: 2 }),
      ours: answering({ a: 2 }),
    })
    expect([differences, notComparable]).toEqual([[], []])
    const later = await compared({
      old: answering({ a: 1 }, { a: 3 }),
      ours: answering({ a: 2 }, { a: 3 }),
    })
    expect([later.differences, later.notComparable]).toEqual([[], []])
  })

  it('gives up on rows that always change', async () => {
    const { differences, notComparable, requests } = await compared({
      old: answering({ a: 1 }, { a: 3 }, { a: 5 }, { a: 7 }),
      ours: answering({ a: 2 }, { a: 4 }, { a: 6 }, { a: 8 }),
    })
    expect(differences).toEqual([])
    expect(notComparable).toEqual([{ route: 'GET /menus', request: 'GET /menus' }])
    expect(requests).toEqual({ old: 4, ours: 4 })
  })

  it('says what no request was left to confirm', async () => {
    const { differences, requests } = await compared(
      { old: answering({ a: 1 }), ours: answering({ a: 2 }) },
      1,
    )
    expect(requests).toEqual({ old: 1, ours: 1 })
    expect(differences).toMatchObject([{ field: 'a', confirmed: false }])
  })
})
