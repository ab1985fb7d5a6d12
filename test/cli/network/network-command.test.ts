import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openBuilder } from '../../../src/build/executor/builder.ts'
import type { CopyStore } from '../../../src/build/publishing/copy-store.ts'
import {
  databaseNamesTable,
  networkTable,
  readIdentity,
} from '../../../src/build/publishing/network-identity.ts'
import { MARKER } from '../../../src/build/publishing/network-marker.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { createLog } from '../../../src/host/log.ts'
import { examineNetwork } from '../../../src/network/doctor/examine.ts'
import { tokensTable } from '../../../src/record/auth/tokens.ts'
import { issueTokenFor } from '../../support/api.ts'
import { runCommand } from '../../support/cli.ts'
import { eventually } from '../../support/eventually.ts'
import { type TestFront, useFront } from '../../support/front.ts'
import { type PageCache, startPageCache } from '../../support/page-cache.ts'
import { use, useFolder } from '../../support/use.ts'

const ABOUT = 7

let cache: PageCache
let front: TestFront
beforeEach(async () => {
  const staticDir = join(await useFolder('identity'), 'static')
  cache = await use(startPageCache())
  front = await useFront({ staticDir, pageCachePurge: [cache.base] })
})

const copyOf = (folder = front.staticDir) => join(folder, 'net.test/shop/about-us/index.html')
const network = () => front.network.db.sql(networkTable(front.network.globals)).first()

async function publish(html: string) {
  await front.frame(2, 'page', html)
  return front.assign(2, 'page', [ABOUT])
}

const run = (args: readonly string[], staticDir = front.staticDir) =>
  runCommand(['network', ...args], { DATABASE_URL: front.network.url, STATIC_DIR: staticDir })

const findings = async ({ copies }: { copies: CopyStore | undefined } = front.executor) => {
  const { db, globals } = front.network
  const services = { db, globals, executor: front.executor, copies, now: () => new Date() }
  const checks = [
    'static_folder_foreign',
    'static_folder_unset',
    'database_moved',
    'database_restored',
    'purges_off',
  ]
  return (await examineNetwork(services)).filter(({ check }) => checks.includes(check))
}

/** Makes the database be one that was never here. */
async function move(): Promise<void> {
  const { db, globals } = front.network
  await db.sql(databaseNamesTable(globals)).delete()
  await db.sql(databaseNamesTable(globals)).insert({ digest: Buffer.alloc(32), name: 'elsewhere' })
  front.executor.identities.forget()
}

describe('the folder of the static copies', () => {
  it('belongs to the network that used it first', async () => {
    await publish('<p>one</p>')
    const { identity } = await network()
    expect(readFileSync(join(front.staticDir, MARKER), 'utf8')).toContain(`network: ${identity}`)
    expect((await run(['show'])).stdout).toContain('belongs to this network')
    expect(await findings()).toEqual([])
  })

  it('is refused by another network: by its claims, its start and its doctor', async () => {
    await publish('<p>one</p>')
    const { db, globals, url } = front.network
    const identity = '00000000-0000-4000-8000-000000000000'
    await db.sql(networkTable(globals)).update({ identity })
    front.executor.identities.forget()
    expect((await publish('<p>two</p>')).statics.get(ABOUT)).toMatchObject({ reason: 'failed' })
    expect(readFileSync(copyOf(), 'utf8')).toBe('<p>one</p>')
    const env = { DATABASE_URL: url, STATIC_DIR: front.staticDir, PORT: '0', FRONT_PORT: '0' }
    const { code, stderr } = await runCommand(['serve'], env)
    expect(code).toBe(1)
    expect(stderr).toContain('belongs to another network')
    expect(stderr).not.toContain(' at ')
    expect(await findings()).toMatchObject([{ check: 'static_folder_foreign', severity: 'error' }])

    expect(await run(['moved', '--take-folder'])).toMatchObject({ code: 0 })
    front.executor.identities.forget()
    await publish('<p>two</p>')
    expect(readFileSync(copyOf(), 'utf8')).toBe('<p>two</p>')
  })
})

describe('a database that was moved or copied', () => {
  it('publishes and purges nothing until the operator says that it was moved', async () => {
    await publish('<p>one</p>')
    cache.purged.length = 0
    await move()
    expect((await publish('<p>two</p>')).statics.get(ABOUT)).toMatchObject({ reason: 'failed' })
    expect(cache.purged).toEqual([])
    expect(await findings()).toMatchObject([{ check: 'database_moved', severity: 'error' }])

    expect(await run(['moved'])).toMatchObject({ code: 0 })
    front.executor.identities.forget()
    await publish('<p>three</p>')
    expect(readFileSync(copyOf(), 'utf8')).toBe('<p>three</p>')
    expect(cache.purged).toContain('PURGE net.test/shop/about-us/')
    expect(await findings()).toEqual([])
  })

  it.each([
    '/run/mysqld/mysqld.sock/net',
    'localhost:3306/net',
    '127.0.0.1:3306/net',
    '[::1]:3306/net',
  ])('is recognised on another machine, where %s leads to another server', async (address) => {
    await publish('<p>one</p>')
    const { db, globals } = front.network
    const table = databaseNamesTable(globals)
    const isKnownAfter = async (machine: string) => {
      const name = `address ${machine} ${address}`
      await db.sql(table).delete()
      await db.sql(table).insert({ digest: createHash('sha256').update(name).digest(), name })
      return (await readIdentity({ ...db, address }, globals)).identity.isKnownDatabase
    }
    expect([await isKnownAfter('elsewhere'), await isKnownAfter(hostname())]).toEqual([false, true])
  })

  it('becomes a network of its own if it is a copy: other folder, no purges, no tokens of the original', async () => {
    await publish('<p>one</p>')
    await issueTokenFor(front.network, 'admin')
    await move()
    cache.purged.length = 0
    const { stdout, code } = await run(['copied'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/1 token .* revoked/)
    expect(stdout).toContain('belongs to the original')
    front.executor.identities.forget()
    expect((await publish('<p>staging</p>')).statics.get(ABOUT)).toMatchObject({
      reason: 'failed',
    })
    expect(readFileSync(copyOf(), 'utf8')).toBe('<p>one</p>')
    expect((await findings()).map(({ check }) => check).sort()).toEqual([
      'purges_off',
      'static_folder_foreign',
    ])
    expect(cache.purged).toEqual([])
    expect(await run(['purges', 'on'])).toMatchObject({ code: 0 })
    expect(await network()).toMatchObject({ purges: 1 })
  })

  it('shows what it would touch, and changes nothing', async () => {
    await publish('<p>one</p>')
    await issueTokenFor(front.network, 'admin')
    const before = await network()
    const env = {
      DATABASE_URL: front.network.url,
      STATIC_DIR: front.staticDir,
      PAGE_CACHE_PURGE: 'http://purger:se-cret@cache.test',
      OBJECT_CACHE_URL: 'redis://:se-cret@redis.test/0',
      LEGACY_URL: 'http://old.test/v1',
    }
    const dryRun = (...args: string[]) =>
      runCommand(['network', 'copied', '--dry-run', ...args], env)
    const known = await dryRun('--json')
    expect(known.stdout).not.toContain('se-cret')
    const touched = (stdout: string) =>
      new Map<string, { where: string; effect: string }>(
        JSON.parse(stdout).touches.map((one: { what: string }) => [one.what, one]),
      )
    const touches = touched(known.stdout)
    expect([...touches.keys()]).toEqual([
      'database',
      'STATIC_DIR',
      'page caches',
      'hosts',
      'tokens',
      'webhooks',
      'OBJECT_CACHE_URL',
      'LEGACY_URL',
    ])
    expect(touches.get('database')?.effect).toContain('would publish and purge')
    expect(touches.get('STATIC_DIR')).toMatchObject({
      where: front.staticDir,
      effect: expect.stringContaining("would replace and remove the original's copies (1 record)"),
    })
    expect(touches.get('page caches')?.where).toContain('PAGE_CACHE_PURGE http://cache.test')
    expect(touches.get('hosts')?.where).toContain('net.test')
    expect(touches.get('tokens')?.where).toBe('1 valid token')
    expect(touches.get('OBJECT_CACHE_URL')?.where).toBe('redis://redis.test/0')
    expect(await network()).toEqual(before)

    await move()
    const moved = touched((await dryRun('--json')).stdout)
    expect(moved.get('database')?.effect).toContain('was not here before')
    expect((await dryRun()).stdout).toMatch(/^tokens: 1 valid token$/m)
    expect(await run(['copied'])).toMatchObject({ code: 0 })
    const copied = touched((await dryRun('--json')).stdout)
    expect(copied.get('STATIC_DIR')?.effect).toContain('and is refused')
    expect(copied.get('page caches')?.effect).toContain('Purges are off. 0 purges')
    expect(copied.get('tokens')?.where).toBe('0 valid tokens')
  })

  it('changes nothing where the original has been before', async () => {
    await publish('<p>one</p>')
    const { db, globals } = front.network
    await issueTokenFor(front.network, 'admin')
    const before = await network()
    const { code, stderr } = await run(['copied'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/looks like the original.* would revoke 1 valid token/)
    expect(await network()).toEqual(before)
    const tokens = db.sql(tokensTable(globals)).whereNull('revoked_at')
    expect(await tokens).toHaveLength(1)
  })

  it('keeps the tokens if the operator wants that', async () => {
    await issueTokenFor(front.network, 'admin')
    const copied = ['copied', '--keep-tokens', '--json']
    const { stdout } = await run([...copied, '--at-same-address'])
    expect(JSON.parse(stdout)).toEqual({ identity: (await network()).identity, revoked_tokens: 0 })
  })
})

it('a process without STATIC_DIR on a network that has static copies builds nothing, and leaves the work to a process that has one', async () => {
  await publish('<p>one</p>')
  const { db, globals } = front.network
  const log = createLog('silent')
  const builder = openBuilder({ db, globals, log, staticDir: undefined })
  const site = await front.network.site(2)
  await rm(copyOf())
  const change = { bake: true, work: workOn('page', [ABOUT]) }
  const recorded = await db.write({ site }, (tx) => recordChange(tx, site, change))
  const { republish } = await builder.executor.apply(site, recorded)
  expect(republish).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('no STATIC_DIR'),
  })
  expect((await findings({ copies: undefined })).map(({ check }) => check)).toEqual([
    'static_folder_unset',
  ])
  await front.executor.finish(2)
  await eventually(() => expect(existsSync(copyOf())).toBe(true))

  expect((await run(['forget-copies'])).stdout).toContain('1 record')
  const again = await db.write({ site }, (tx) => recordChange(tx, site, change))
  expect((await builder.executor.apply(site, again)).republish.status).toBe('ok')
  await builder.close()
})

it('a command refuses to run after a migration of a newer version that it cannot work with', async () => {
  const { db, globals } = front.network
  const table = `${globals.basePrefix}svc_migrations`
  const add = (name: string) => db.sql(table).insert({ name, applied_at: '2026-01-01' })
  await add('9001-more.sql')
  expect(await run(['show'])).toMatchObject({ code: 0 })
  await add('9002-renamed-incompatible.sql')
  const { code, stderr } = await run(['show'])
  expect(code).toBe(1)
  expect(stderr).toContain('9002-renamed-incompatible.sql')
  expect(stderr).toContain('Install that version')
  await db.sql(table).where('name', 'like', '9%').delete()
})
