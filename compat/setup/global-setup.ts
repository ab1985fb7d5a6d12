import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createDatabase } from '../../src/db/run-script.ts'
import { startPrivateDatabase } from '../../src/db/server/start-private-database.ts'
import { WordPress } from '../support/wordpress.ts'
import { installPhp } from './install-packages.ts'
import { serveWordPress } from './serve-wordpress.ts'
import { unpackWordPress } from './unpack-wordpress.ts'

/** Where WordPress and its database are, or why there are none. */
export type Compat =
  | { readonly databaseUrl: string; readonly wordpressUrl: string }
  | { readonly problem: string }

declare module 'vitest' {
  export interface ProvidedContext {
    compat: Compat
  }
}

const DATA = resolve(import.meta.dirname, '../../.data/compat')

/**
 * Gives the tests a WordPress network that WordPress itself installed, on a private database: at DATABASE_URL and COMPAT_WORDPRESS_URL
 * where these are set (docker/compose.yaml), else from Debian's packages. What goes wrong is told by every test, so that one run of these
 * and other tests still shows how the others do.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const undo: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const step of undo.reverse()) await step()
  }
  try {
    const servers = (await givenServers()) ?? (await startServers(undo))
    await new WordPress(servers.wordpressUrl).ask('install')
    provide('compat', servers)
  } catch (error) {
    provide('compat', { problem: error instanceof Error ? error.message : String(error) })
  }
  return stop
}

type Servers = { databaseUrl: string; wordpressUrl: string }

async function givenServers(): Promise<Servers | undefined> {
  const { DATABASE_URL: databaseUrl, COMPAT_WORDPRESS_URL: wordpressUrl } = process.env
  return databaseUrl && wordpressUrl ? { databaseUrl, wordpressUrl } : undefined
}

async function startServers(undo: (() => Promise<void>)[]): Promise<Servers> {
  await installPhp()
  const root = await unpackWordPress(join(DATA, 'wordpress'), process.env.COMPAT_WORDPRESS)
  const folder = join(DATA, String(process.pid))
  mkdirSync(folder, { recursive: true })
  undo.push(async () => rmSync(folder, { recursive: true, force: true }))
  const server = await startPrivateDatabase({
    dataDir: join(folder, 'db'),
    durable: false,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  undo.push(() => server.stop())
  const databaseUrl = await createDatabase(server.url, 'compat')
  const log = join(folder, 'php.log')
  const wordpress = await serveWordPress(root, databaseUrl, log)
  undo.push(async () => tellComplaints(log))
  undo.push(() => wordpress.stop())
  return { databaseUrl, wordpressUrl: wordpress.url }
}

/** What PHP warned of: the server logs every request besides. */
function tellComplaints(log: string): void {
  for (const line of readFileSync(log, 'utf8').split('\n'))
    if (/PHP (?:Fatal|Parse|Warning|Notice)|WordPress database error/.test(line))
      process.stderr.write(`${line}\n`)
}
