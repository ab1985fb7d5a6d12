import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useApi } from '../../support/api.ts'
import { commandsOn } from '../../support/cli.ts'
import { useRemoteCli } from '../../support/remote-cli.ts'
import { startRunWorker } from '../../support/run-worker.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use, useFolder } from '../../support/use.ts'
import { describedFolder } from './described-folder.ts'

const { network, api } = await useApi()
await use(startRunWorker(network))
const shop = createSiteFixture(network.db, await network.site(2))
const remote = await useRemoteCli()
await remote.login(await api.token('admin'), api.url)
const onDatabase = commandsOn(network)
const base = await useFolder('over-http')

const markupOf = async (slug: string) => shop.option(`svc_frame_${await shop.idOf(slug)}`)
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await remote.run(...args, '--json')
  if (stdout === '') throw new Error(stderr)
  return { code, ...JSON.parse(stdout) }
}

describe('a description over HTTP', () => {
  it('is planned, applied, compared and rolled back', async () => {
    const folder = await describedFolder(base, 'remote', '<p>1</p>')
    expect(await json('plan', folder, '--details')).toMatchObject({
      code: 0,
      changed: 2,
      plans: [
        { sites: [2, 3], steps: [{ name: 'remote', diff: expect.stringContaining('+<p>') }] },
      ],
    })
    const { run, ...applied } = await json('apply', folder, '--no-wait')
    expect(applied).toMatchObject({ code: 0, title: 'Description remote', sites: { applied: 2 } })
    await shop.frame('remote', '<p>edited</p>')
    expect(await json('drift', 'remote')).toMatchObject({ sites: 2, drifted: 1 })
    const dry = await remote.run('rollback', run.slice(0, 8), '--dry-run')
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('-<p>edited</p>') })
    expect(await markupOf('remote')).toContain('edited')
    expect(await json('rollback', run, '--no-wait')).toMatchObject({ sites: { rolled_back: 2 } })
    await expect(shop.idOf('remote')).rejects.toThrow()
  })

  it('is planned on the database, and applied over HTTP', async () => {
    const folder = await describedFolder(base, 'moved', '<p>1</p>')
    const file = join(base, 'moved.json')
    await onDatabase.run('plan', folder, '--out', file)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      version: 2,
      service: 'net.test',
    })
    expect(await json('apply', file, '--no-wait')).toMatchObject({ sites: { applied: 2 } })
    expect(await markupOf('moved')).toContain('<p>1</p>')
  })

  it('has problems with their files, and warnings', async () => {
    const folder = await describedFolder(base, 'mistaken', '<b data-op-bind="site.titel"></b>')
    const { code, stdout } = await remote.run('plan', folder)
    expect([code, stdout]).toEqual([1, expect.stringContaining('! frame mistaken: Line 1')])
    const file = join(folder, 'network.yaml')
    await writeFile(file, (await readFile(file, 'utf8')).replace('[base]', '[bsae]'))
    expect((await remote.run('plan', folder)).stderr).toContain('network.yaml, line 3: sites.0.')
  })
})

describe('a single change over HTTP', () => {
  it('pushes a folder that was pulled', async () => {
    await shop.frame('pushed', 'old')
    const folder = join(base, 'pushed')
    await onDatabase.run('frames', 'pull', folder, '--site', '2')
    await writeFile(join(folder, 'pushed.html'), 'new')
    const pushed = await json('frames', 'push', folder, '--no-wait')
    expect(pushed).toMatchObject({ code: 0, title: 'Push of frames', sites: { applied: 1 } })
    expect(await markupOf('pushed')).toContain('new')
    expect((await remote.run('frames', 'push', folder)).stdout).toContain('0 steps on 0 sites')
    await writeFile(join(folder, 'pushed.html'), 'newer')
    await shop.frame('pushed', 'theirs')
    expect((await remote.run('frames', 'push', folder)).stderr).toContain('push --force')
  })

  it('imports a menu, and replaces a text', async () => {
    const file = join(base, 'menu.json')
    const items = [{ url: 'https://before.test/', title: 'Before' }]
    await writeFile(file, JSON.stringify({ name: 'Remote', items }))
    expect(await json('menus', 'import', file, '--site', '2', '--no-wait')).toMatchObject({
      title: 'Import of menu Remote',
      sites: { applied: 1 },
    })
    const texts = ['before.test', 'after.test']
    const replaced = await json('frames', 'replace', ...texts, '--network', '--no-wait')
    expect(replaced).toMatchObject({ code: 0, title: 'Replacement of texts' })
    expect(replaced.results.filter(({ steps }: { steps: number }) => steps > 0)).toMatchObject([
      { site_id: 2 },
    ])
  })
})
