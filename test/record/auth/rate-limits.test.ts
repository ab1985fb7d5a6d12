import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../../src/host/errors.ts'
import { addressKey, RateLimits } from '../../../src/record/auth/rate-limits.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const refusalOf = async (work: Promise<void>): Promise<AppError | undefined> => {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

const newLimits = () => new RateLimits({ rateLimitPerMinute: 120, authFailuresPerMinute: 20 })

describe('requests', () => {
  it('are accepted again after Retry-After, not before', async () => {
    const limits = newLimits()
    for (let sent = 0; sent <= 120; sent += 1) await limits.countRequest('token:1')
    for (const [passed, wait] of [
      [18_500, 42],
      [41_499, 1],
    ] as const) {
      vi.advanceTimersByTime(passed)
      const counted = await limits.countRequest('token:1')
      expect(counted?.exceeded?.fields.retry_after).toBe(wait)
    }
    vi.advanceTimersByTime(1)
    expect(await limits.countRequest('token:1')).toMatchObject({
      quota: { remaining: 119 },
      exceeded: undefined,
    })
  })
})

describe('failed authentications', () => {
  it('are rejected from the 21st on when concurrent', async () => {
    const limits = newLimits()
    const refusals = await Promise.all(
      Array.from({ length: 30 }, () => refusalOf(limits.countFailure('192.0.2.1'))),
    )
    expect(refusals.filter((refusal) => refusal?.code === 'too_many_auth_failures')).toHaveLength(
      10,
    )
  })

  it('of an expired minute block nobody, even before the counter is removed', async () => {
    const limits = newLimits()
    for (let failed = 1; failed <= 20; failed += 1) await limits.countFailure('192.0.2.1')
    // The clock has advanced, but the timer that removes the counter has not fired.
    vi.setSystemTime(new Date('2026-03-01T12:01:00Z'))
    await limits.assertMayAuthenticate('192.0.2.1')
    await limits.countFailure('192.0.2.1')
    await limits.assertMayAuthenticate('192.0.2.1')
  })
})

describe('addressKey', () => {
  it('gives each IPv4 address a key, in every notation', () => {
    expect(addressKey('192.0.2.1')).not.toBe(addressKey('192.0.2.2'))
    expect(addressKey('::ffff:192.0.2.1')).toBe(addressKey('192.0.2.1'))
  })

  it('gives all addresses of an IPv6 /64 the same key', () => {
    const key = addressKey('2001:db8:0:1::1')
    expect(addressKey('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe(key)
    expect(addressKey('2001:0DB8:0000:0001::abcd')).toBe(key)
    expect(addressKey('2001:db8:0:2::1')).not.toBe(key)
    expect(addressKey('2001:db8:1:1::1')).not.toBe(key)
  })

  it('gives each text that is no address a key, so that those who send others have another limit', () => {
    expect(addressKey('unix:')).toBe(addressKey('unix:'))
    expect(new Set(['unix:', 'banana', 'x'.repeat(10_000), undefined].map(addressKey)).size).toBe(4)
    expect(addressKey('x'.repeat(10_000)).length).toBeLessThan(100)
  })
})
