import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, runScript } from '../demo/private-database/run-script.ts'
import { runCommand } from '../test/support/cli.ts'
import { reportIn } from '../test/support/comparison.ts'
import { use, useFolder } from '../test/support/use.ts'
import { serveWordPress } from './setup/serve-wordpress.ts'
import { createCompatFixture } from './support/compat-fixture.ts'
import { oldEndpoint } from './support/old-endpoint.ts'

const compat = inject('compat')
const servers = 'problem' in compat ? undefined : compat

/** A WordPress of its own is needed, because it works on the copy. */
describe.skipIf(servers?.files === undefined)(
  'compare --writes with a real endpoint in PHP',
  async () => {
    if (!servers?.files) return
    const { databaseUrl, files } = servers
    const folder = await useFolder('compare-writes')
    const fixture = await use(createCompatFixture())
    const { site, done, admin } = fixture
    const names = ['old', 'new'].map((side) => `compat_${side}_${randomBytes(4).toString('hex')}`)
    const [oldUrl = '', newUrl = ''] = await Promise.all(
      names.map((name) => createDatabase(databaseUrl, name)),
    )
    await use({
      drop: () =>
        runScript(databaseUrl, names.map((name) => `DROP DATABASE \`${name}\``).join(';')),
    })
    const server = await use(
      serveWordPress(files.root, oldUrl, join(folder, 'php.log'), files.pluginsDir),
    )
    const token = await oldEndpoint().token(admin)

    beforeAll(async () => {
      const [about] = await fixture.wp<number[]>('make_pages', [
        { title: 'About & more' },
        { title: 'Team', under: 0 },
      ])
      await done('post', '/frames', { slug: 'card', html: '<b>Ünï</b>', bake: false })
      await done('post', '/menus', {
        name: 'Main',
        location: 'header',
        items: [{ page: about }, { url: '/contact', title: 'Contact' }],
      })
    })

    const run = (...args: string[]) =>
      runCommand(
        ['compare', '--writes', '--old', `${server.url}/wp-json/svc-old/v1`, '--json', ...args],
        {
          XDG_CONFIG_HOME: folder,
          LOG_LEVEL: 'silent',
          DATABASE_URL: databaseUrl,
          WP_FRAMES_OLD_TOKEN: token,
          WP_FRAMES_OLD_DATABASE: oldUrl,
          WP_FRAMES_NEW_DATABASE: newUrl,
        },
      )

    it('finds no difference in answers and rows', async () => {
      const report = reportIn(await run('--site', String(site.blogId)))
      expect(
        report.differences.map(({ route, field, kind, example }) =>
          [route, field, kind, JSON.stringify(example)].join(' '),
        ),
      ).toEqual([])
      expect(report.code).toBe(0)
    })
  },
)
