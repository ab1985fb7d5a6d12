import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createDatabase } from '../../demo/private-database/run-script.ts'
import { startPrivateDatabase } from '../../demo/private-database/start-private-database.ts'
import { WordPress } from '../support/wordpress.ts'
import { activatePlugins } from './activate-plugins.ts'
import { installPhp } from './install-packages.ts'
import { serveWordPress } from './serve-wordpress.ts'
import { unpackWordPress } from './unpack-wordpress.ts'

export type WordPressFiles = { readonly root: string; readonly pluginsDir: string | undefined }

/** The addresses of WordPress and its database, or why there are none. */
export type Compat =
  | {
      readonly databaseUrl: string
      readonly wordpressUrl: string
      /** The folder of WordPress, and that of its plugins; undefined for the WordPress at COMPAT_WORDPRESS_URL. */
      readonly files: WordPressFiles | undefined
    }
  | { readonly problem: string }

declare module 'vitest' {
  export interface ProvidedContext {
    compat: Compat
  }
}

const DATA = resolve(import.meta.dirname, '../../.data/compat')

/**
 * Provides a WordPress network that WordPress itself installed: on the database at DATABASE_URL, or a private one; in the WordPress
 * at COMPAT_WORDPRESS_URL (docker/compose.yaml), or in WORDPRESS_DIR, or Debian's; with the plugins in PLUGINS_DIR. A failure is reported by
 * every test, so that a run together with other tests still shows the results of those.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const undo: Undo = []
  try {
    const folder = join(DATA, String(process.pid))
    mkdirSync(folder, { recursive: true })
    undo.push(async () => rmSync(folder, { recursive: true, force: true }))
    const pluginsDir = findPlugins()
    const databaseUrl = process.env.DATABASE_URL || (await startDatabase(folder, undo))
    const given = process.env.COMPAT_WORDPRESS_URL
    const { wordpressUrl, files } = given
      ? { wordpressUrl: given, files: undefined }
      : await startWordPress(folder, databaseUrl, pluginsDir, undo)
    const wordpress = new WordPress(wordpressUrl)
    await wordpress.ask('install')
    process.stderr.write(`${await activatePlugins(wordpress, pluginsDir)}\n`)
    provide('compat', { databaseUrl, wordpressUrl, files })
  } catch (error) {
    provide('compat', { problem: error instanceof Error ? error.message : String(error) })
  }
  return async () => {
    for (const step of undo.reverse()) await step()
  }
}

/** Steps that stop and remove what was started, run in reverse order. */
type Undo = (() => Promise<void>)[]

async function startDatabase(folder: string, undo: Undo): Promise<string> {
  const server = await startPrivateDatabase({
    dataDir: join(folder, 'db'),
    durable: false,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  undo.push(() => server.stop())
  return createDatabase(server.url, 'compat')
}

/** @throws Error if PLUGINS_DIR cannot be used */
function findPlugins(): string | undefined {
  const { PLUGINS_DIR, COMPAT_WORDPRESS_URL } = process.env
  if (!PLUGINS_DIR) return undefined
  if (COMPAT_WORDPRESS_URL)
    throw new Error(
      'PLUGINS_DIR has no effect on the WordPress at COMPAT_WORDPRESS_URL. Unset one.',
    )
  const folder = resolve(PLUGINS_DIR)
  if (!existsSync(folder)) throw new Error(`PLUGINS_DIR does not exist: ${folder}`)
  return folder
}

async function startWordPress(
  folder: string,
  databaseUrl: string,
  pluginsDir: string | undefined,
  undo: Undo,
): Promise<{ readonly wordpressUrl: string; readonly files: WordPressFiles }> {
  await installPhp()
  const root = await unpackWordPress(join(DATA, 'wordpress'), process.env.WORDPRESS_DIR)
  const log = join(folder, 'php.log')
  const server = await serveWordPress(root, databaseUrl, log, pluginsDir)
  undo.push(async () => {
    await server.stop()
    printWarnings(log)
  })
  return { wordpressUrl: server.url, files: { root, pluginsDir } }
}

/** Prints PHP's warnings from the log, which also contains every request; of deprecated uses, which WordPress has itself, only ours. */
function printWarnings(log: string): void {
  for (const line of readFileSync(log, 'utf8').split('\n'))
    if (
      /PHP (?:Fatal|Parse|Warning|Notice)|PHP .*compat\/wordpress\/old-endpoint|WordPress database error/.test(
        line,
      )
    )
      process.stderr.write(`${line}\n`)
}
