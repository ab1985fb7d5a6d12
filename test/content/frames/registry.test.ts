import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { decodeRegistry, Registry } from '../../../src/content/frames/registry.ts'

const registry = new Registry(
  new Map([
    ['a3', 'menu'],
    ['a1', 'header'],
    ['a4', 'a1-like'],
    ['a2', 'footer'],
  ]),
)

describe('a registry', () => {
  it('lists its frames by slug', () => {
    expect(registry.all().map(({ slug }) => slug)).toEqual(['a1-like', 'footer', 'header', 'menu'])
    expect(registry.size).toBe(4)
  })

  it('finds a frame by id and by slug, ignoring case', () => {
    for (const ref of ['a1', 'A1', 'header', 'Header']) {
      expect(registry.find(ref)).toEqual({ id: 'a1', slug: 'header' })
      expect(registry.get(ref)).toEqual({ id: 'a1', slug: 'header' })
    }
    expect(registry.find('a9')).toBeUndefined()
  })

  it('prefers ids to slugs', () => {
    const crossed = new Registry(
      new Map([
        ['a1', 'a2'],
        ['a2', 'other'],
      ]),
    )
    expect(crossed.find('a2')).toEqual({ id: 'a2', slug: 'other' })
    expect(crossed.find('a1')).toEqual({ id: 'a1', slug: 'a2' })
  })

  it('rejects an empty or unknown reference, and says what to do', () => {
    expect(() => registry.get('  ')).toThrow(
      expect.objectContaining({
        code: 'frame_ref_required',
        message: expect.stringContaining('Send its id or slug'),
      }),
    )
    expect(() => registry.get('a9')).toThrow(
      expect.objectContaining({
        code: 'frame_not_found',
        message: expect.stringContaining('List the frames'),
      }),
    )
  })

  it('rejects a slug that another frame has', () => {
    expect(() => registry.assertFree('header', 'a2')).toThrow(
      expect.objectContaining({
        code: 'slug_taken',
        message: expect.stringContaining('"header" is already used by frame a1'),
        fields: { id: 'a1' },
      }),
    )
    registry.assertFree('header', 'a1')
    registry.assertFree('free')
  })
})

describe('the option value of a registry', () => {
  it('is an array of slugs by id; other valid values have no frames', () => {
    const names = { 12: 'twelve', a1: 'header' }
    expect(decodeRegistry(encodePhp(names)).find('12')).toEqual({ id: '12', slug: 'twelve' })
    expect(decodeRegistry(encodePhp(5)).all()).toEqual([])
  })

  it('is rejected if it is damaged, with the offset and what to do', () => {
    const damaged = encodePhp({ a1: 'header' }).slice(0, -4)
    expect(() => decodeRegistry(damaged)).toThrow(
      expect.objectContaining({
        code: 'frame_unreadable',
        message: expect.stringMatching(/svc_frames\) is damaged: .+ Restore the option/),
        fields: { option: 'svc_frames', offset: expect.any(Number) },
      }),
    )
  })
})
