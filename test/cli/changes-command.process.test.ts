import { describe, expect, it } from 'vitest'
import { issueTokenFor } from '../support/api.ts'
import { commandsOn, runCommand } from '../support/cli.ts'
import { spawnCommand } from '../support/cli-process.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { useNetwork } from '../support/network.ts'
import { useRemoteCli } from '../support/remote-cli.ts'
import { startServeProcesses } from '../support/serve-processes.ts'
import { createSiteFixture } from '../support/site-fixture.ts'

const network = await useNetwork()
const site = createSiteFixture(network.db, await network.site(2))
const { run, environment } = commandsOn(network)

const CONTINUE = /^Continue with --since (\S+)$/m
const cursorIn = ({ stderr }: { readonly stderr: string }): string =>
  CONTINUE.exec(stderr)?.[1] ?? 'none'
const now = async () => cursorIn(await run('changes', '--since', 'now'))

/** Runs `changes --follow` in a process of its own until it has printed this, then presses Ctrl-C. */
async function follow(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  work: (printed: () => string) => Promise<void>,
) {
  const { child, ended } = await spawnCommand(['changes', '--follow', ...args], env)
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  await work(() => printed)
  child.kill('SIGINT')
  return ended
}

describe('changes', () => {
  it('prints a line for each change, and the cursor to go on with', async () => {
    const since = await now()
    await site.frame('twice-written', '<p>1</p>')
    await site.frame('twice-written', '<p>2</p>')
    const first = await run('changes', '--since', since)
    const [created = '', replaced = '', ...others] = first.stdout.trim().split('\n')
    expect(created).toMatch(
      /^\d{4}-\d\d-\d\d [\d:.]{12} {2}site 2 +changed +\S.* {2}created frame twice-written$/,
    )
    expect(replaced).toContain('replaced frame twice-written')
    expect(others).toEqual([])
    const rest = await run('changes', '--site', '2', '--since', cursorIn(first))
    expect(rest).toMatchObject({ code: 0, stdout: '' })
    expect(cursorIn(rest)).toBe(cursorIn(first))
  })

  it('prints JSON, and only the types that were asked for', async () => {
    const since = await now()
    await site.frame('as-json', '<br>')
    const { stdout } = await run('changes', '--site', '2', '--since', since, '--json')
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events).toMatchObject([{ type: 'changed', site_id: 2, things: [{ name: 'as-json' }] }])
    const published = await run('changes', '--since', since, '--type', 'published', 'reset')
    expect(published.stdout).toBe('')
    expect(cursorIn(published)).toBe(events[0].id)
  })

  it('reads page after page', async () => {
    const since = await now()
    for (let at = 0; at < 105; at += 1) await site.frame(`many-${at}`, '<br>')
    const { stdout } = await run('changes', '--site', '2', '--since', since)
    expect(stdout.trim().split('\n')).toHaveLength(105)
  })

  it('says what is wrong with a cursor', async () => {
    const { code, stderr } = await run('changes', '--since', 'yesterday')
    expect([code, stderr]).toEqual([1, expect.stringContaining('since')])
  })

  it('is clear about changes that are missing', async () => {
    const { stdout } = await run('changes', '--since', '999999999-4f1c2d3e')
    expect(stdout).toContain('this database does not know the cursor; read everything')
  })

  it('follows changes on the database until Ctrl-C', async () => {
    const { code, stdout, stderr } = await follow(
      ['--site', '2', '--since', await now()],
      environment,
      async (printed) => {
        await site.frame('followed-1', '<br>')
        await eventually(() => expect(printed()).toContain('followed-1'))
        await site.frame('followed-2', '<br>')
        await eventually(() => expect(printed()).toContain('followed-2'))
      },
    )
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(2)
    expect(cursorIn({ stderr })).toBe(await now())
  })

  // Two starts of the service take long on a busy machine.
  it('follows changes over HTTP, also when the service starts again', {
    timeout: 180_000,
  }, async () => {
    const port = await freePort()
    const env = { TABLE_PREFIX: network.globals.basePrefix, PORT: String(port) }
    const start = () => startServeProcesses(1, network.url, env)
    const remote = await useRemoteCli()
    let service = await start()
    const token = await issueTokenFor(network, 'alice')
    await remote.login(token, `${service.urls[0]}`, '--name', 'shop')
    const args = ['--site', '2', '--env', 'shop', '--since', await now()]
    const { code, stdout, stderr } = await follow(args, remote.env, async (printed) => {
      await site.frame('before-restart', '<br>')
      await eventually(() => expect(printed()).toContain('before-restart'))
      await service.stop()
      await site.frame('while-away', '<br>')
      service = await start()
      await site.frame('after-restart', '<br>')
      await eventually(() => expect(printed()).toContain('after-restart'))
    })
    await service.stop()
    expect(code).toBe(0)
    expect(stdout.match(/(?:before|while|after)-\w+/g)).toEqual([
      'before-restart',
      'while-away',
      'after-restart',
    ])
    expect(cursorIn({ stderr })).toBe(await now())
  })

  it('fails at once if there is no service', async () => {
    const remote = await useRemoteCli()
    const missing = await runCommand(['changes', '--follow', '--env', 'none'], remote.env)
    expect(missing.code).toBe(1)
  })
})
