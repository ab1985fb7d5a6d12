import { describe, expect, it } from 'vitest'
import { ByteBudget } from '../../../src/host/concurrency/byte-budget.ts'

describe('ByteBudget', () => {
  it('rejects bytes beyond its limit, and keeps earlier reservations', () => {
    const budget = new ByteBudget('request bodies', 100)
    const [one, other] = [budget.reserve(), budget.reserve()]
    one.grow(60)
    expect(() => other.grow(41)).toThrow('request bodies')
    other.grow(40)
    expect(budget.used).toBe(100)
  })

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

  it('rejects with a retryable code', () => {
    const reservation = new ByteBudget('request bodies', 1).reserve()
    expect(() => reservation.grow(2)).toThrow(
      expect.objectContaining({ code: 'service_busy', fields: { retry_after: 5 } }),
    )
  })

  it('limits the bytes of one key, and leaves the rest to other keys', () => {
    const budget = new ByteBudget('request bodies', 100, 60)
    const [one, other, foreign] = [budget.reserve('a'), budget.reserve('a'), budget.reserve('b')]
    one.grow(40)
    expect(() => other.grow(21)).toThrow('request bodies')
    other.grow(20)
    foreign.grow(40)
    one.release()
    other.grow(40)
    expect(budget.used).toBe(100)
  })
})
