import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { listMenus } from '../../src/wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { readLinkSettings } from '../../src/wordpress/permalinks/link-settings.ts'
import { useTruth } from '../wordpress/clone-truth.ts'
import { commandsOn } from './cli.ts'
import { readMenu } from './read-menu.ts'
import { createSiteFixture } from './site-fixture.ts'
import { useFolder } from './use.ts'

/** `wp-frames menus ...` on a cloned network, with a temporary folder; it ends with the tests. */
export async function useMenusCli() {
  const network = await useTruth()
  const { db } = network
  const folder = await useFolder('menus')
  const { environment: env, run: command } = commandsOn(network, join(folder, 'static'))
  const run = (...args: string[]) => command('menus', ...args)
  let files = 0
  return {
    network,
    folder,
    env,
    run,
    /** The object that `--json` printed; throws if the exit code is not `code`. */
    json: async (expected: number, ...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json')
      if (code !== expected) throw new Error(`exit code ${code}: ${stdout}${stderr}`)
      return JSON.parse(stdout)
    },
    /** The output of `export` for a menu, parsed. */
    exported: async (slug: string, site: number) => {
      const { code, stdout, stderr } = await run('export', slug, '--site', String(site))
      if (code !== 0) throw new Error(stderr)
      return parse(stdout)
    },
    /** Writes a file with this content, a text or a value, and returns its path. */
    file: async (content: string | object) => {
      files += 1
      const path = join(folder, `${files}.yaml`)
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
    /** The stored items of a site's menu. */
    itemsOf: async (slug: string, site: Site) => {
      const menu = (await listMenus(db, site)).find((one) => one.slug === slug)
      const links = await readLinkSettings(db, site)
      return (menu && (await readMenu(db, site, links, menu.id)))?.items ?? []
    },
    /** Creates a published page or post and returns its id. */
    addPost: (site: Site, post: { slug: string; parent?: number; type?: string; title?: string }) =>
      createSiteFixture(db, site).page(post),
  }
}
