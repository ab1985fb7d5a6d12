/** Writes client/schema.ts, and prints the size of the client. A test fails if the file is not up to date. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundleClient, sizesOf } from './bundle-client.ts'
import { clientSchema } from './client/client-schema.ts'

writeFileSync(resolve(import.meta.dirname, '../client/schema.ts'), await clientSchema())
const { minified, compressed } = sizesOf(await bundleClient())
process.stdout.write(
  `The client has ${minified.toFixed(1)} kB minified, ${compressed.toFixed(1)} kB compressed.\n`,
)
