import { expect, it } from 'vitest'
import { commandsOn, runCommand } from '../support/cli.ts'
import { useNetwork } from '../support/network.ts'
import { useFolder } from '../support/use.ts'
import { describedFolder } from './network/described-folder.ts'

const network = await useNetwork()
const { environment } = commandsOn(network)
const limited = { ...environment, STORED_MB_PER_SITE: '1' }

const html = 'x'.repeat(600_000)

it('commands refuse what would exceed the quota of a site, as the API does', async () => {
  const create = (slug: string) => {
    const body = JSON.stringify({ slug, html, bake: false })
    return runCommand(['api', 'POST', '/site/2/frames', '--data', '-'], limited, body)
  }
  expect(JSON.parse((await create('one')).stdout)).toMatchObject({ success: true })
  expect(JSON.parse((await create('two')).stdout).error).toBe('site_quota_exceeded')

  const folder = await describedFolder(await useFolder('quota'), 'three', html, [2])
  const apply = await runCommand(['apply', folder, '--yes', '--json'], limited)
  expect([apply.code, apply.stdout]).toEqual([1, expect.stringContaining('STORED_MB_PER_SITE')])
  const unlimited = { ...environment, STORED_MB_PER_SITE: '0' }
  expect(await runCommand(['apply', folder, '--yes', '--json'], unlimited)).toMatchObject({
    code: 0,
  })
})
