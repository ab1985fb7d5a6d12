/**
 * Writes what others have of the endpoints: `packages/client/src/operations.ts`, the method and path of each, and `src/cli/derived/commands.ts`, the
 * commands that equal one (`npm run build:operations`), and `packages/client/src/schema.ts`, their types, unless the endpoints are those of the file (`npm run build:client`). Prints the size of the client if
 * its types have changed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sha256Hex } from '../src/host/hash.ts'
import { clientDocument, clientOperations } from './client-document.ts'
import { derivedCommands } from './derived-commands.ts'

const SOURCES = resolve(import.meta.dirname, '../packages/client/src')
const SCHEMA = resolve(SOURCES, 'schema.ts')
const OPERATIONS = resolve(SOURCES, 'operations.ts')
const COMMANDS = resolve(import.meta.dirname, '../src/cli/derived/commands.ts')

const document = await clientDocument()
writeIfChanged(OPERATIONS, clientOperations(document))
writeIfChanged(COMMANDS, derivedCommands(document))
if (!process.argv.includes('--operations')) await writeSchema()

async function writeSchema(): Promise<void> {
  const digest = sha256Hex(JSON.stringify(document))
  const head = `/** The shapes of the endpoints, made from the OpenAPI document ${digest}. */\n`
  if (existsSync(SCHEMA) && readFileSync(SCHEMA, 'utf8').startsWith(head)) return
  // Loaded only if they are needed: openapi-typescript takes seconds.
  const [{ clientSchema }, { bundleClient, sizesOf }] = await Promise.all([
    import('./client/client-schema.ts'),
    import('./bundle-client.ts'),
  ])
  writeFileSync(SCHEMA, head + (await clientSchema(document)))
  const { minified, compressed } = sizesOf(await bundleClient())
  process.stdout.write(
    `client: ${minified.toFixed(1)} kB minified, ${compressed.toFixed(1)} kB compressed\n`,
  )
}

function writeIfChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}
