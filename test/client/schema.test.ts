import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { clientSchema } from '../../tools/client/client-schema.ts'

const FILE = resolve(import.meta.dirname, '../../client/schema.ts')

it('client/schema.ts is up to date; `npm run client` writes it', async () => {
  expect(readFileSync(FILE, 'utf8') === (await clientSchema())).toBe(true)
})
