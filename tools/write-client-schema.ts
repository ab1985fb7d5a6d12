/**
 * Writes packages/client/src/schema.ts, the types of the client, unless the endpoints are those of the file: `npm run build:client`. Prints the size of the
 * client if it has changed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { openApiDocument } from '../src/api/docs/openapi-document.ts'
import { sha256Hex } from '../src/hash.ts'

const FILE = resolve(import.meta.dirname, '../packages/client/src/schema.ts')

const digest = sha256Hex(JSON.stringify(await openApiDocument('', '')))
const head = `/** The endpoints and their shapes, made from the OpenAPI document ${digest}. */\n`
if (!existsSync(FILE) || !readFileSync(FILE, 'utf8').startsWith(head)) {
  // Loaded only if they are needed: openapi-typescript takes seconds.
  const [{ clientSchema }, { bundleClient, sizesOf }] = await Promise.all([
    import('./client/client-schema.ts'),
    import('./bundle-client.ts'),
  ])
  writeFileSync(FILE, head + (await clientSchema()))
  const { minified, compressed } = sizesOf(await bundleClient())
  process.stdout.write(
    `client: ${minified.toFixed(1)} kB minified, ${compressed.toFixed(1)} kB compressed\n`,
  )
}
