import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useApi } from '../../support/api.ts'
import { commandsOn, runCommand } from '../../support/cli.ts'
import { useRemoteCli } from '../../support/remote-cli.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useFolder } from '../../support/use.ts'

const { network, api } = await useApi()
await createSiteFixture(network.db, await network.site(2)).frame('card', '<p>one</p>')
const cli = await useRemoteCli()
await cli.login(await api.token('admin'), api.url)
const folder = await useFolder('api')

const database = { ...cli.env, ...commandsOn(network).environment }

/** The same request to the service, and on the database. */
const WHERE = [
  ['over HTTP', cli.env],
  ['on the database', database],
] as const

describe.each(WHERE)('api %s', (_, env) => {
  const request = (...args: string[]) => runCommand(['api', ...args], env)

  it('prints the body of the answer', async () => {
    const { body } = await (await api.as('admin')).get('/site/2/frames?q=card')
    const { code, stdout, stderr } = await request('GET', '/site/2/frames?q=card')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual(body)
    const plans = await request('get', '/network/tokens')
    expect(JSON.parse(plans.stdout)).toMatchObject({ success: true, tokens: expect.any(Array) })
  })

  it('sends a body from the command line, a file or standard input', async () => {
    const html = '<p>two</p>'
    const file = join(folder, 'card.json')
    await writeFile(file, JSON.stringify({ html }, null, 2))
    const path = '/site/2/frames/card'
    for (const data of [JSON.stringify({ html }), `@${file}`]) {
      const { code, stdout } = await request('PUT', path, '--data', data)
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { frame: { slug: 'card', bytes: 10 } }])
    }
    const input = JSON.stringify({ html })
    expect((await runCommand(['api', 'PUT', path, '--data', '-'], env, input)).code).toBe(0)
    expect(await request('PUT', path, '--data', '{html')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--data is not JSON'),
    })
  })

  it('exits with 1 for an error, after its body', async () => {
    const missing = await request('GET', '/site/2/frames/none')
    expect(missing.code).toBe(1)
    expect(JSON.parse(missing.stdout)).toMatchObject({ success: false, error: 'frame_not_found' })
    expect(missing.stderr).toBe('The answer has the status 404.\n')
    expect(JSON.parse((await request('GET', '/nothing')).stdout)).toMatchObject({
      code: 'rest_no_route',
      data: { status: 404 },
    })
    const condition = ['--header', 'If-Match: "abc"']
    const refused = await request('DELETE', '/site/2/frames/card', ...condition)
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: 'precondition_failed' })
  })
})

describe('api', () => {
  it('says what is missing', async () => {
    const other = await useRemoteCli()
    expect(await other.run('api', 'GET', '/me')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Log in with "wp-frames login <url>", or set DATABASE_URL'),
    })
    const me = await runCommand(['api', 'GET', '/me'], database)
    expect([me.code, me.stderr]).toEqual([1, expect.stringContaining('about the user of a token')])
    expect(JSON.parse((await cli.run('api', 'GET', '/me')).stdout).user.login).toBe('admin')
    const keyed = await runCommand(
      ['api', 'POST', '/site/2/frames/rebake', '--header', 'Idempotency-Key: 1'],
      database,
    )
    expect(keyed.stderr).toContain('The header idempotency-key has no effect without a service')
    for (const header of ['Idempotency-Key: 1', 'If-Match: "abc"']) {
      const data = ['--data', '{"user":"admin"}', '--header', header]
      const issued = await runCommand(['api', 'POST', '/network/tokens', ...data], database)
      expect(issued).toMatchObject({ code: 1, stdout: '' })
      expect(issued.stderr).toMatch(/^The header [a-z-]+ has no effect without a service/)
    }
  })

  it.each([
    [['FETCH', '/site/2/frames']],
    [['GET', 'C:/Program Files/Git/site/2/frames']],
    [['GET', '/me', '--header', 'x']],
    [['GET', '/me', '--header', 'Authorization: Bearer x']],
  ])('is wrong usage: %j', async (args) => {
    expect((await cli.run('api', ...args)).code).toBe(2)
  })
})
