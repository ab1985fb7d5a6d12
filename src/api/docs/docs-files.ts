import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROJECT_ROOT = new URL('../../..', import.meta.url)

/** The files that `npm run build:docs` makes. */
const SITE = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/docs/' : '../../docs/',
  import.meta.url,
)

/** The version of the package. */
export async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(new URL('package.json', PROJECT_ROOT), 'utf8')).version
}

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
