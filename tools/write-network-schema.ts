/** Writes docs/network.schema.json, the JSON Schema of network.yaml. A test fails if the file is not up to date. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { networkFileSchema } from '../src/cli/network/network-file.ts'

writeFileSync(resolve(import.meta.dirname, '../docs/network.schema.json'), networkFileSchema())
