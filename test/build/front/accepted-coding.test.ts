import { describe, expect, it } from 'vitest'
import { acceptedCoding } from '../../../src/build/front/serve-copy.ts'

const ALL = new Set(['identity', 'gzip', 'br'] as const)

describe('acceptedCoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;Q=0.5', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.8, gzip;q=0.8', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.000', 'identity'],
    ['*', 'br'],
    ['*;q=0.1, gzip;q=0.2', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['deflate, zstd', 'identity'],
    ['br;q=much', 'identity'],
    [' , ;;, ;q=1', 'identity'],
  ])('for %j is %s', (accepted, coding) => {
    expect(acceptedCoding(accepted, ALL)).toBe(coding)
  })

  it('is a form that exists', () => {
    expect(acceptedCoding('br, gzip;q=0.5', new Set(['identity', 'gzip']))).toBe('gzip')
    expect(acceptedCoding('br, gzip', new Set(['identity']))).toBe('identity')
  })
})
