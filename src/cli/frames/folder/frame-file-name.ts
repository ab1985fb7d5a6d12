import type { FrameName } from '../../../content/frames/registry.ts'

/** Device names, which Windows reserves with every extension. */
const WINDOWS_DEVICE_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/
/** Less than the limit of 255 bytes of common file systems. */
const MAX_FILE_NAME_BYTES = 240
const EXTENSION = '.html'

/**
 * The file name of a frame: its slug. Slugs that an older endpoint wrote may contain other characters: those that could leave the folder,
 * differ only in case or be invalid on some file system are percent-encoded. If the slug is empty or too long, the name contains the id.
 */
export function frameFileName({ id, slug }: FrameName): string {
  const encoded = percentEncode(slug, UNSAFE_IN_FILE_NAMES)
  const name = WINDOWS_DEVICE_NAMES.test(encoded) ? percentEncode(encoded, /^./g) : encoded
  const fits = name.length > 0 && name.length + EXTENSION.length <= MAX_FILE_NAME_BYTES
  // `%id` is not a valid percent-encoding, so no slug has this name.
  return (fits ? name : `%id-${percentEncode(id, UNSAFE_IN_FILE_NAMES)}`) + EXTENSION
}

/** The decoded slug of a file name, which may be invalid as a slug; undefined if the name cannot be decoded. */
export function slugFromFileName(name: string): string | undefined {
  try {
    return decodeURIComponent(name.slice(0, -EXTENSION.length))
  } catch {
    return undefined
  }
}

/** Whether an entry of a folder with this name contains a frame. Hidden files belong to other programs. */
export function isFrameFileName(name: string): boolean {
  return /^[^./\\\0][^/\\\0]*\.html$/i.test(name)
}

/** The name as case-insensitive file systems compare it. */
export const foldCase = (name: string): string => name.toLowerCase()

const UNSAFE_IN_FILE_NAMES = /[^a-z0-9_-]/gu

/** @param unsafe matches the characters to percent-encode as UTF-8 */
function percentEncode(text: string, unsafe: RegExp): string {
  return text.replace(unsafe, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}
