import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readFrames } from '../../src/content/frames/read-frame.ts'
import { readRegistry } from '../../src/content/frames/registry.ts'
import { commandsOn } from './cli.ts'
import { type NetworkOptions, useNetwork } from './network.ts'
import { createSiteFixture } from './site-fixture.ts'
import { useFolder } from './use.ts'

/** `wp-frames frames ...` on a cloned network, with a temporary folder for the files that it writes. */
export type FramesCli = Awaited<ReturnType<typeof useFramesCli>>

/** The author of frames that are written without the command line. */
const USER = 2

/** Creates it; it ends with the tests. */
export async function useFramesCli(options: NetworkOptions = {}) {
  const network = await useNetwork(options)
  const { db } = network
  const shop = await network.site(2)
  const base = await useFolder('cli')
  const [folder, staticDir] = [join(base, 'frames'), join(base, 'static')]
  const { environment: env, run: command } = commandsOn(network, staticDir)
  const run = (...args: string[]) => command('frames', ...args)
  const names = async () => (await readRegistry(db, shop)).all()
  const fixture = createSiteFixture(db, shop, { userId: USER })
  return {
    network,
    shop,
    fixture,
    /** For pulled frames. */
    folder,
    staticDir,
    env,
    run,
    /** The object that `--json` printed; throws if the exit code is not `code`. */
    json: async (code: number, ...args: string[]) => {
      const result = await run(...args, '--json')
      if (result.code !== code) throw new Error(`exit code ${result.code}: ${result.stderr}`)
      return JSON.parse(result.stdout)
    },
    /** Creates a frame of the shop or replaces it, without the command line; returns its id. */
    put: async (slug: string, html: string) => {
      await fixture.frame(slug, html)
      return fixture.idOf(slug)
    },
    remove: async (slug: string) => void (await fixture.removeFrame(slug)),
    /** The markup of every frame of the shop by slug. */
    stored: async () => {
      const frames = await readFrames(db, shop, await names())
      return Object.fromEntries(frames.map(({ record }) => [record.slug, record.html]))
    },
    /** Deletes all frames of the shop, and the folder. */
    clear: async () => {
      await fixture.replaceFrames([])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** SHA-256 of a text's UTF-8. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
