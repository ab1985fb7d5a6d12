import { expect, it } from 'vitest'
import { MAX_MARKUP_BYTES, parseMarkupInput } from '../../src/frames/frame-markup.ts'

it('markup of as many bytes as a frame may have is taken, a byte more is not', () => {
  const most = `${'x'.repeat(MAX_MARKUP_BYTES - 2)}é`
  expect(parseMarkupInput(most)).toBe(most)
  expect(() => parseMarkupInput(`${most}x`)).toThrow(
    expect.objectContaining({
      code: 'frame_too_large',
      message: `The markup has ${MAX_MARKUP_BYTES + 1} bytes; a frame may have ${MAX_MARKUP_BYTES}. Split it into frames that embed one another.`,
      fields: { max_bytes: MAX_MARKUP_BYTES, bytes: MAX_MARKUP_BYTES + 1 },
    }),
  )
})
