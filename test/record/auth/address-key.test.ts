import { describe, expect, it } from 'vitest'
import { addressKey } from '../../../src/record/auth/rate-limits.ts'

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
