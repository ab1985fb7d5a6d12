import { AppError } from '../errors.ts'

/** 2 MB of UTF-8 (contract, section 8; decisions, section 5). */
export const MAX_MARKUP_BYTES = 2 * 1024 * 1024

/**
 * The markup of a write, unchanged.
 * @throws AppError `frame_html_required`, `frame_too_large` with `max_bytes`, `frame_charset_unsupported` for half a
 * surrogate pair, which UTF-8 can't hold
 */
export function parseMarkupInput(input: unknown): string {
  if (typeof input !== 'string') {
    throw new AppError(
      'frame_html_required',
      'The markup is missing. Send it as a string in "html".',
    )
  }
  if (!input.isWellFormed()) {
    throw new AppError(
      'frame_charset_unsupported',
      'The markup holds half a surrogate pair, which is no character. Send characters beyond U+FFFF whole.',
    )
  }
  const bytes = Buffer.byteLength(input)
  if (bytes > MAX_MARKUP_BYTES) {
    throw new AppError(
      'frame_too_large',
      `The markup has ${bytes} bytes; a frame may have ${MAX_MARKUP_BYTES}. Split it into frames that embed one another.`,
      { max_bytes: MAX_MARKUP_BYTES, bytes },
    )
  }
  return input
}
