import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../../', import.meta.url)
const VIEWER = '@fastify/swagger-ui/static/'

/** Files of the documentation that browsers are given as they are, by the names under which pages ask for them. */
export const ASSETS: ReadonlyMap<string, string> = new Map([
  ...['docs.css', 'icon.svg', 'reference.js'].map(
    (name) => [name, fileURLToPath(new URL(`docs/assets/${name}`, ROOT))] as const,
  ),
  // Swagger UI as Fastify's maintainers publish it: the same files without the install script that reports home.
  ...['swagger-ui.css', 'swagger-ui-bundle.js'].map(
    (name) => [name, createRequire(import.meta.url).resolve(VIEWER + name)] as const,
  ),
])

/** The version of the package. */
export async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')).version
}

/** The Markdown of a guide in `docs/`; undefined where there is none of that name. */
export async function findGuide(name: string): Promise<string | undefined> {
  if (!/^[a-z0-9-]+$/.test(name)) return undefined
  try {
    return await readFile(new URL(`docs/${name}.md`, ROOT), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
