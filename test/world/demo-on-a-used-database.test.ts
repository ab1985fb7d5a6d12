import { describe, expect, it } from 'vitest'
import { loadDemo } from '../../demo/prepare-demo.ts'
import { runScript } from '../../demo/private-database/run-script.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import { checksumsOf, tablesOf } from '../support/checksums.ts'
import { emptyDatabase } from '../support/database.ts'
import { type TestNetwork, useNetwork } from '../support/network.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { openTestService } from '../support/service.ts'
import { use } from '../support/use.ts'

/**
 * Somebody tried the demo where a WordPress lives, and it was emptied.
 * Right: a program that was only tried changes nothing that it did not make.
 */
describe('the demo on a database that is used', async () => {
  const network = await useNetwork({ prefix: 'wp_' })

  it.each([
    [
      'a WordPress without a network',
      'CREATE TABLE wp_options (a INT); CREATE TABLE wp_posts (a INT); INSERT INTO wp_posts VALUES (1)',
      'wp_options',
    ],
    [
      'one table of another program',
      'CREATE TABLE orders (a INT); INSERT INTO orders VALUES (1)',
      'orders',
    ],
    [
      'a WordPress with another prefix',
      'CREATE TABLE blog_posts (a INT); INSERT INTO blog_posts VALUES (1)',
      'blog_posts',
    ],
    ['nothing but a view', 'CREATE VIEW answers AS SELECT 42 AS a', 'answers'],
    [
      'a demo that was not loaded to its end',
      'CREATE TABLE wp_sitemeta (meta_id BIGINT, site_id BIGINT, meta_key VARCHAR(255), meta_value LONGTEXT)',
      'wp_sitemeta',
    ],
  ])('refuses %s', async (_, script, table) => {
    const network = await openEmpty()
    await runScript(network.url, script)
    const before = await contentsOf(network)
    await expect(load(network)).rejects.toThrow(`such as "${table}", and no complete demo network`)
    expect(await contentsOf(network)).toEqual(before)
  })

  it('refuses a network of the operator', async () => {
    const before = await contentsOf(network)
    await expect(load(network)).rejects.toThrow('nothing was changed')
    expect(await contentsOf(network)).toEqual(before)
  })
})

async function openEmpty(): Promise<Pick<TestNetwork, 'db' | 'globals' | 'url'>> {
  const { url } = await use(emptyDatabase())
  const db = await use(openTestDatabase({ url, poolSize: 2 }))
  return { db, globals: globalTables('wp_'), url }
}

async function load(network: Pick<TestNetwork, 'db' | 'globals' | 'url'>): Promise<void> {
  const services = await openTestService(network)
  try {
    await loadDemo(services)
  } finally {
    await services.close()
  }
}

const contentsOf = async (network: Pick<TestNetwork, 'db'>): Promise<unknown> =>
  checksumsOf(network, await tablesOf(network))
