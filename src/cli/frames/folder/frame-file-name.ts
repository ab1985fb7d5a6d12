import type { FrameName } from '../../../frames/registry.ts'

/** Names of devices, which Windows takes for a file under any extension. */
const WINDOWS_DEVICE_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/
/** File systems take 255 bytes. */
const MAX_FILE_NAME_BYTES = 240
const EXTENSION = '.html'

/**
 * The file of a frame: its slug. Of a slug that an older endpoint left, all that could leave the folder, differ by case only or not be a
 * file name somewhere is percent-encoded; one that is empty or too long is named by its id.
 */
export function frameFileName({ id, slug }: FrameName): string {
  const encoded = percentEncode(slug, UNSAFE_IN_FILE_NAMES)
  const name = WINDOWS_DEVICE_NAMES.test(encoded) ? percentEncode(encoded, /^./g) : encoded
  const fits = name.length > 0 && name.length + EXTENSION.length <= MAX_FILE_NAME_BYTES
  // `%id` encodes nothing, so no slug has this name.
  return (fits ? name : `%id-${percentEncode(id, UNSAFE_IN_FILE_NAMES)}`) + EXTENSION
}

/** The slug that a file's name stands for, right or wrong; undefined for a name that stands for none. */
export function slugFromFileName(name: string): string | undefined {
  try {
    return decodeURIComponent(name.slice(0, -EXTENSION.length))
  } catch {
    return undefined
  }
}

/** Does a folder's entry with this name hold a frame? Hidden files are other programs' business. */
export function isFrameFileName(name: string): boolean {
  return /^[^./\\\0][^/\\\0]*\.html$/i.test(name)
}

/** The name under which a file system that takes no notice of case finds it. */
export const foldCase = (name: string): string => name.toLowerCase()

const UNSAFE_IN_FILE_NAMES = /[^a-z0-9_-]/gu

/** @param unsafe what is percent-encoded, as UTF-8 */
function percentEncode(text: string, unsafe: RegExp): string {
  return text.replace(unsafe, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}
