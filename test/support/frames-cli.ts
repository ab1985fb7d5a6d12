import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFrames } from '../../src/frames/read-frame.ts'
import { readRegistry } from '../../src/frames/registry.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { type CommandResult, runCommand } from './cli.ts'
import { cloneNetwork, type NetworkOptions, type TestNetwork } from './network.ts'
import { createSiteFixture } from './site-fixture.ts'

/** `wp-frames frames ...` on a cloned network, with a temporary folder for the files that it writes. */
export type FramesCli = {
  readonly network: TestNetwork
  readonly shop: Site
  /** For pulled frames. */
  readonly folder: string
  readonly staticDir: string
  readonly env: Readonly<Record<string, string>>
  run(...args: string[]): Promise<CommandResult>
  /** The object that `--json` printed; throws if the exit code is not `code`. */
  json(code: number, ...args: string[]): Promise<ReturnType<typeof JSON.parse>>
  /** Creates a frame of the shop or replaces it, without the command line; returns its id. */
  put(slug: string, html: string): Promise<string>
  remove(slug: string): Promise<void>
  /** The markup of every frame of the shop by slug. */
  stored(): Promise<Record<string, string>>
  /** Deletes all frames of the shop. */
  clear(): Promise<void>
  stop(): Promise<void>
}

/** The author of frames that are written without the command line. */
const USER = 2

/** Creates it. `stop` removes everything. */
export async function startFramesCli(options: NetworkOptions = {}): Promise<FramesCli> {
  const network = await cloneNetwork(options)
  const { db } = network
  const shop = await network.site(2)
  const base = await mkdtemp(join(tmpdir(), 'wp-frames-cli-'))
  const staticDir = join(base, 'static')
  const env = {
    DATABASE_URL: network.url,
    TABLE_PREFIX: network.globals.basePrefix,
    LOG_LEVEL: 'silent',
    STATIC_DIR: staticDir,
  }
  const run = (...args: string[]) => runCommand(['frames', ...args], env)
  const names = async () => (await readRegistry(db, shop)).all()
  const fixture = createSiteFixture(db, shop, { userId: USER })
  return {
    network,
    shop,
    folder: join(base, 'frames'),
    staticDir,
    env,
    run,
    json: async (code, ...args) => {
      const result = await run(...args, '--json')
      if (result.code !== code) throw new Error(`exit code ${result.code}: ${result.stderr}`)
      return JSON.parse(result.stdout)
    },
    put: async (slug, html) => {
      await fixture.frame(slug, html)
      return fixture.idOf(slug)
    },
    remove: async (slug) => void (await fixture.removeFrame(slug)),
    stored: async () => {
      const frames = await readFrames(db, shop, await names())
      return Object.fromEntries(frames.map(({ record }) => [record.slug, record.html]))
    },
    clear: () => fixture.replaceFrames([]),
    stop: async () => {
      await network.drop()
      await rm(base, { recursive: true, force: true })
    },
  }
}

/** SHA-256 of a text's UTF-8. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
