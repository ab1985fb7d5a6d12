import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a folder into another one, which describes a frame of the same name for these sites. @returns its path */
export async function describedFolder(
  base: string,
  name: string,
  html = '<p>1</p>',
  sites: readonly number[] = [2, 3],
): Promise<string> {
  const folder = join(base, name)
  await mkdir(folder, { recursive: true })
  const selection = `sites: [{ match: { id: [${sites}] }, bundles: [base] }]`
  const bundles = "bundles: { base: { frames: ['*.html'] } }"
  const description = `version: 1\nname: ${name}\n${selection}\n${bundles}\n`
  await writeFile(join(folder, 'network.yaml'), description)
  await writeFile(join(folder, `${name}.html`), html)
  return folder
}
