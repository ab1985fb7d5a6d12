import { describe, expect, it } from 'vitest'
import { forEachBounded } from '../../../src/host/concurrency/for-each.ts'

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('forEachBounded', () => {
  it('processes all items, a few at a time', async () => {
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
