import { describe, expect, it } from 'vitest'
import { parseUrl } from '../../src/host/parse-url.ts'

describe('parseUrl', () => {
  it('parses a host with a Latin-1 letter however often it is called', () => {
    const hosts = new Set<string | undefined>()
    for (let call = 0; call < 50_000; call += 1) hosts.add(parseUrl('https://müller.de/')?.hostname)
    expect([...hosts]).toEqual(['xn--mller-kva.de'])
  })

  it('returns undefined for an invalid URL', () => {
    expect(parseUrl('//no-scheme')).toBeUndefined()
    expect(parseUrl('https://[broken')).toBeUndefined()
  })
})
