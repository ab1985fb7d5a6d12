import { describe, expect, it } from 'vitest'
import { commandsOn, runCommand } from '../../support/cli.ts'
import { useNetwork } from '../../support/network.ts'

const network = await useNetwork()
const { environment } = commandsOn(network)

const sites = (...args: string[]) => runCommand(['sites', ...args], environment)

describe('sites', () => {
  it('lists all sites but deleted ones, and marks the main site', async () => {
    const { code, stdout, stderr } = await sites()
    expect([code, stderr]).toEqual([0, ''])
    const [heading, ...lines] = stdout.trimEnd().split('\n')
    expect(heading).toMatch(/^site_id +address +title +state +main +frames$/)
    expect(lines).toEqual([
      expect.stringMatching(/^1 +net\.test .* live +yes +0$/),
      expect.stringMatching(/^2 +net\.test\/shop .* live +0$/),
      expect.stringMatching(/^3 +net\.test\/docs .* live +0$/),
      expect.stringMatching(/^4 +brand\.test .* live +0$/),
      expect.stringMatching(/^5 +net\.test\/archived .* archived +0$/),
      expect.stringMatching(/^7 +net\.test\/spam .* spam +0$/),
    ])
  })

  it('reports a damaged registry, and lists the other sites', async () => {
    const { options } = (await network.site(3)).tables
    const row = { option_name: 'svc_frames', option_value: 'a:1:{broken', autoload: 'off' }
    await network.db.sql(options).insert(row)
    expect((await sites()).stdout).toMatch(/^3 .* unreadable\n4 .* 0$/m)
    await network.db.sql(options).where({ option_name: 'svc_frames' }).delete()
  })

  it('names the variable to check if the database is wrong', async () => {
    const env = { DATABASE_URL: network.url, LOG_LEVEL: 'silent' }
    expect(await runCommand(['sites'], { ...env, TABLE_PREFIX: 'none_' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The table "none_\w+" does not exist in the database\. Check TABLE_PREFIX/,
      ),
    })
  })
})
