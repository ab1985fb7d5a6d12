import { describe, expect, it } from 'vitest'
import { runCommand } from '../../support/cli.ts'
import { reportIn } from '../../support/comparison.ts'
import { emptyDatabase } from '../../support/database.ts'
import { cloneNetwork } from '../../support/network.ts'
import { startScratchEndpoint } from '../../support/scratch-endpoint.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use, useFolder } from '../../support/use.ts'

const network = await use(cloneNetwork())
const { basePrefix } = network.globals
const shop = createSiteFixture(network.db, await network.site(2))
await shop.frame('site-header', '<header>one</header>')
const [oldDatabase, newDatabase] = [await use(emptyDatabase()), await use(emptyDatabase())]
const old = await use(startScratchEndpoint(oldDatabase.url, basePrefix))
const folder = await useFolder('compare-writes')

const environment = {
  XDG_CONFIG_HOME: folder,
  LOG_LEVEL: 'silent',
  DATABASE_URL: network.url,
  TABLE_PREFIX: basePrefix,
  WP_FRAMES_OLD_TOKEN: old.token,
  WP_FRAMES_OLD_DATABASE: oldDatabase.url,
  WP_FRAMES_NEW_DATABASE: newDatabase.url,
}

const run = (...args: string[]) =>
  runCommand(['compare', '--writes', '--old', old.url, ...args], environment)
const compare = async (...args: string[]) => {
  old.reset()
  return reportIn(await run('--json', ...(args.includes('--site') ? [] : ['--site', '2']), ...args))
}

describe('compare --writes', () => {
  it('finds nothing where both write alike, in every endpoint', async () => {
    const report = await compare()
    expect(report.differences.map(({ route, field, kind, example }) => JSON.stringify([route, field, kind, example]))).toEqual([])
    expect(report.code).toBe(0)
    expect(report.times.map(({ route }) => route)).toHaveLength(20)
  })
})
