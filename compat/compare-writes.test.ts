import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, runScript } from '../demo/private-database/run-script.ts'
import { reportIn } from '../packages/migration/test/comparison.ts'
import { runCommand } from '../test/support/cli.ts'
import { use, useFolder } from '../test/support/use.ts'
import { serveWordPress } from './setup/serve-wordpress.ts'
import { createCompatFixture } from './support/compat-fixture.ts'
import { type Deviations, oldEndpoint } from './support/old-endpoint.ts'

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

    const environment = {
      XDG_CONFIG_HOME: folder,
      LOG_LEVEL: 'silent',
      DATABASE_URL: databaseUrl,
      WP_FRAMES_OLD_TOKEN: token,
      WP_FRAMES_OLD_DATABASE: oldUrl,
      WP_FRAMES_NEW_DATABASE: newUrl,
    }
    const run = (...args: string[]) =>
      runCommand(
        ['compare', '--writes', '--old', `${server.url}/wp-json/svc-old/v1`, '--json', ...args],
        environment,
      )

    const fieldsOf = ({ differences }: ReturnType<typeof reportIn>): string[] =>
      differences.map(({ route, field, kind }) => `${route} ${field} ${kind}`).sort()
    const compare = async (deviations: Deviations) => {
      // The deviations are a network option, so they are copied.
      await oldEndpoint().deviate(admin, deviations)
      return reportIn(await run('--site', String(site.blogId)))
    }

    /** wp-frames says that it has made a slug lower case. */
    const slugChanged = 'POST /frames warnings[] additional'

    it('finds no difference in answers and rows but a further warning', async () => {
      expect(fieldsOf(await compare({}))).toEqual([slugChanged])
    })

    it('finds deviations of answers', async () => {
      expect(fieldsOf(await compare({ ids: true, on: 'menus', method: 'DELETE' }))).toEqual([
        'DELETE /menus/{ref} deleted.id type',
        'DELETE /menus/{ref} site_id type',
        'DELETE /menus/{ref}/items/{id} menu.id type',
        'DELETE /menus/{ref}/items/{id} removed[] type',
        'DELETE /menus/{ref}/items/{id} site_id type',
        slugChanged,
      ])
    })

    it('finds what was written in spite of dry_run', async () => {
      expect(fieldsOf(await compare({ dry_run: true }))).toEqual(
        expect.arrayContaining([
          'POST /frames applied value',
          'POST /frames rows.options[] missing',
          'POST /frames rows.options[].value.* missing',
        ]),
      )
    })

    it('refuses a database that the endpoint does not work on', async () => {
      const other = oldEndpoint()
      await other.deviate(admin, {})
      const { code, stderr } = await runCommand(
        ['compare', '--writes', '--old', other.url, '--site', String(site.blogId)],
        environment,
      )
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('does not work on --old-database'),
      ])
    })
  },
)
