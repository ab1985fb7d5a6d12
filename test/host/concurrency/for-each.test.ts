import { describe, expect, it } from 'vitest'
import { forEachBounded, mapYielding } from '../../../src/host/concurrency/for-each.ts'

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

  it('begins no further item after an error', async () => {
    const begun: number[] = []
    const work = async (item: number) => {
      begun.push(item)
      await soon()
      if (item === 2) throw new Error('no')
    }
    await expect(forEachBounded([1, 2, 3, 4, 5, 6, 7], 2, work)).rejects.toThrow('no')
    // The other call has time to go through the rest.
    for (let pause = 0; pause < 10; pause += 1) await soon()
    expect(begun).toEqual([1, 2, 3])
  })
})

it('mapYielding maps each item, in order', async () => {
  expect(await mapYielding(['a', 'b'], (item, index) => `${item}${index}`)).toEqual(['a0', 'b1'])
  const many = Array.from({ length: 1000 }, (_, index) => index)
  expect(await mapYielding(many, (item) => item)).toEqual(many)
})
