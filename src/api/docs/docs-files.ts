import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files that `npm run build:docs` makes. */
const SITE = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/docs/' : '../../docs/',
  import.meta.url,
)

/** The names of the built files, such as `commands/serve.html`; none if the documentation is not built. */
export async function listSiteFiles(): Promise<ReadonlySet<string>> {
  const names = await readdir(fileURLToPath(SITE), { recursive: true }).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return new Set(names.filter((name) => extname(name) !== ''))
}

/** @param name one of `listSiteFiles()` */
export const readSiteFile = (name: string): Promise<Buffer> => readFile(new URL(name, SITE))
