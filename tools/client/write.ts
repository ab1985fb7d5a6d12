/** Writes client/schema.ts. A test fails if the file is not up to date. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { clientSchema } from './client-schema.ts'

writeFileSync(resolve(import.meta.dirname, '../../client/schema.ts'), await clientSchema())
