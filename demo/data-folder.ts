import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder of everything that the demo writes. It can be deleted at any time. */
export const DATA_FOLDER = '.data'

/** How much a folder contains, for people: `190 MB`. */
export async function describeSize(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => stat(join(entry.parentPath, entry.name)).then(({ size }) => size))
  // Files of the service may be gone meanwhile.
  const known = await Promise.allSettled(sizes)
  const bytes = known.reduce((sum, size) => sum + (size.status === 'fulfilled' ? size.value : 0), 0)
  return `${Math.round(bytes / 1e6)} MB`
}
