import { describe, expect, it } from 'vitest'
import { forEachBounded } from '../../src/concurrency/for-each.ts'
import { withKeyedMutex } from '../../src/concurrency/keyed-mutex.ts'

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('work in turn', () => {
  it('runs one at a time under a key, in order, also after a failure', async () => {
    const steps: string[] = []
    const work =
      (name: string, fails = false) =>
      async () => {
        steps.push(`${name} begins`)
        await soon()
        steps.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      }
    const results = await Promise.allSettled([
      withKeyedMutex('key', work('a')),
      withKeyedMutex('key', work('b', true)),
      withKeyedMutex('key', work('c')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(steps).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  it('does not wait for other keys', async () => {
    let release = () => {}
    const held = withKeyedMutex('held', () => new Promise<void>((resolve) => (release = resolve)))
    expect(await withKeyedMutex('free', async () => 'done')).toBe('done')
    release()
    await held
  })
})

describe('bounded work', () => {
  it('does everything, for a few at a time', async () => {
    const done: number[] = []
    let open = 0
    let most = 0
    await forEachBounded([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      open += 1
      most = Math.max(most, open)
      await soon()
      open -= 1
      done.push(item)
    })
    expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(most).toBe(3)
  })
})
