import { expect, it } from 'vitest'
import { readRow } from '../../../../../src/db/sql.ts'
import { useNetwork } from '../../../../../test/support/network.ts'
import { withoutForeignKeys } from '../../../src/commands/compare/writes/copy-tables.ts'

const { db } = await useNetwork()

const definitionOf = async (table: string): Promise<string> => {
  const shown = await readRow<{ 'Create Table': string }>(db, 'SHOW CREATE TABLE :table:', {
    table,
  })
  return shown?.['Create Table'] ?? ''
}

it('a table is copied without the tables that its foreign keys name', async () => {
  await db.sql.raw('CREATE TABLE wp_permissions (id bigint PRIMARY KEY) ENGINE=InnoDB')
  await db.sql.raw(
    `CREATE TABLE wp_log (id bigint PRIMARY KEY, permission bigint, other bigint, KEY permission (permission),
      CONSTRAINT fk_log FOREIGN KEY (permission) REFERENCES wp_permissions (id) ON DELETE CASCADE,
      CONSTRAINT \`a\`\`b\` FOREIGN KEY (other) REFERENCES wp_permissions (id)) ENGINE=InnoDB COMMENT='CONSTRAINT FOREIGN KEY'`,
  )
  const definition = withoutForeignKeys(await definitionOf('wp_log'))
  for (const table of ['wp_log', 'wp_permissions']) await db.sql.raw(`DROP TABLE ${table}`)
  await db.sql.raw(definition.replaceAll('?', '\\?'))
  const copied = await definitionOf('wp_log')
  expect(copied).toBe(definition)
  expect(copied).toContain('KEY `permission` (`permission`)')
  expect(copied).toContain("COMMENT='CONSTRAINT FOREIGN KEY'")
  expect(withoutForeignKeys(copied)).toBe(copied)
})
