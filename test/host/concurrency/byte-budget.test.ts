import { describe, expect, it } from 'vitest'
import { ByteBudget } from '../../../src/host/concurrency/byte-budget.ts'

describe('ByteBudget', () => {
  it('releases the bytes of a reservation once', () => {
    const budget = new ByteBudget('request bodies', 100)
    const [one, other] = [budget.reserve(), budget.reserve()]
    one.grow(30)
    one.grow(30)
    other.grow(10)
    one.release()
    one.release()
    expect(budget.used).toBe(10)
    one.grow(50)
    expect(budget.used).toBe(10)
  })
})
