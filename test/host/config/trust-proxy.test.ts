import express from 'express'
import { expect, it } from 'vitest'
import { isTrustedPeer, trustProxy } from '../../../src/host/config/trust-proxy.ts'

const PEERS = [
  '127.0.0.1',
  '127.8.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '10.0.0.7',
  '::ffff:10.0.0.7',
  '172.16.3.4',
  '172.32.0.1',
  '192.168.0.9',
  '169.254.1.1',
  'fe80::1',
  'fd00::1',
  '203.0.113.5',
  '2001:db8::5',
  '2001:db9::5',
]

it.each([
  'true',
  'false',
  '0',
  '1',
  '2',
  'loopback',
  'linklocal',
  'uniquelocal',
  'loopback, uniquelocal',
  '10.0.0.0/8,2001:db8::/32',
  '203.0.113.5',
  '::ffff:10.0.0.7',
  '2001:db8::5',
])('the same peers are trusted with %s as Express trusts', (text) => {
  const trusted = trustProxy(text)
  const trusts = express().set('trust proxy', trusted).get('trust proxy fn')
  for (const peer of PEERS)
    expect([peer, isTrustedPeer(trusted, peer)]).toEqual([peer, trusts(peer, 0)])
})

it('a connection that has ended has no trusted peer, unless all are', () => {
  expect(isTrustedPeer('loopback', undefined)).toBe(false)
  expect(isTrustedPeer(false, undefined)).toBe(false)
  expect(isTrustedPeer(true, undefined)).toBe(true)
})
