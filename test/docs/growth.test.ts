import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { useNetwork } from '../support/network.ts'

const GUIDE = readFileSync(resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8')
const network = await useNetwork()

it('the guide "What grows" has each table of the service, and no other', async () => {
  const rows: string[] = await network.db
    .sql('information_schema.TABLES')
    .whereRaw("TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE '%\\_svc\\_%'")
    .pluck('TABLE_NAME')
  const tables = rows.map((name) => name.slice(name.indexOf('svc_')))
  const named = GUIDE.match(/(?<=^\| [^|]*`)svc_[a-z_]+/gm) ?? []
  expect(named.sort()).toEqual(tables.sort())
})
