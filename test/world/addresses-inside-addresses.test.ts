import { describe, expect, it } from 'vitest'
import { Receivers } from '../../src/host/receivers/receivers.ts'

/**
 * A network without IPv4 reaches receivers by NAT64, and the operator lists its prefix.
 * Right: RFC 6052, sections 2.1 and 3.1: the last 32 bits are the address that is reached, and the prefix must not stand for private ones. RFC 3056 and
 * RFC 4380 for 6to4 and Teredo.
 */
describe('IPv4 addresses inside IPv6 addresses', () => {
  const PUBLIC = '64:ff9b::5db8:d822'
  const PRIVATE = [
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a9fe:a9fe',
    '2002:7f00:1::1',
    '2002:a00:1::1',
    '2001:0:4136:e378:8000:63bf:f5ff:fffe',
  ]
  const ALL = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32']

  it('are public where the address inside is, by the well-known prefix', () => {
    const receivers = new Receivers([])
    expect(receivers.allowsAddress(PUBLIC)).toBe(true)
    expect(receivers.findFault(`https://[${PUBLIC}]/`)).toBeUndefined()
    expect(receivers.findFault(`http://[${PUBLIC}]/`)).toBeTypeOf('string')
  })

  it.each(PRIVATE)('are not public where the address inside is not: %s', (address) => {
    for (const allowed of [[], ALL]) {
      const receivers = new Receivers(allowed)
      expect(receivers.allowsAddress(address)).toBe(false)
      expect(receivers.findFault(`https://[${address}]/`)).toBeTypeOf('string')
    }
  })

  it('are allowed where the operator has listed both', () => {
    const receivers = new Receivers([...ALL, '10.0.0.0/8'])
    expect(receivers.allowsAddress('64:ff9b::a00:1')).toBe(true)
    expect(receivers.allowsAddress('2002:a00:1::1')).toBe(true)
    expect(receivers.allowsAddress('64:ff9b::7f00:1')).toBe(false)
    expect(receivers.allowsAddress('2002:5db8:d822::1')).toBe(true)
    expect(new Receivers([]).allowsAddress('2002:5db8:d822::1')).toBe(false)
  })
})
