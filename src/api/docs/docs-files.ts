import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const PROJECT_ROOT = new URL('../../..', import.meta.url)

/**
 * A file of Swagger UI, from the package of Fastify's maintainers: the same files, but without an install script that sends telemetry. The build
 * copies the served files into `dist/viewer`, so that an installation does not need the package.
 */
function viewerFile(name: string): string {
  if (!import.meta.url.endsWith('.ts'))
    return fileURLToPath(new URL(`../../viewer/${name}`, import.meta.url))
  return createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${name}`)
}

/** The folder of the pictures in guides. */
export const ASSETS_FOLDER = fileURLToPath(new URL('docs/assets', PROJECT_ROOT))

/** The static files of the documentation, by the names that pages use. */
export const ASSETS: ReadonlyMap<string, string> = new Map([
  ...['docs.css', 'icon.svg', 'reference.js'].map(
    (name) => [name, fileURLToPath(new URL(`docs/assets/${name}`, PROJECT_ROOT))] as const,
  ),
  ...['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => [name, viewerFile(name)] as const),
])

/** The version of the package. */
export async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(new URL('package.json', PROJECT_ROOT), 'utf8')).version
}

/** The Markdown of a guide in `docs/`; undefined if there is none of that name. */
export async function findGuide(name: string): Promise<string | undefined> {
  if (!/^[a-z0-9-]+$/.test(name)) return undefined
  try {
    return await readFile(new URL(`docs/${name}.md`, PROJECT_ROOT), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
