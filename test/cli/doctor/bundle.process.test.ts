import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MAX_LOG_LINES } from '../../../src/cli/doctor/bundle/log-lines.ts'
import { EnvironmentSchema, secretVariables } from '../../../src/config/config.ts'
import { workTable } from '../../../src/work/work-tables.ts'
import { issueTokenFor } from '../../support/api.ts'
import { runCommand } from '../../support/cli.ts'
import { listen } from '../../support/listen.ts'
import { cloneNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use, useFolder } from '../../support/use.ts'
import { putWork } from '../../support/work-rows.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
const folder = await useFolder('bundle')
const PLANTED = 'planted-secret'
/** In the content of sites. */
const CONTENT = 'planted-content'

const metrics = await use(
  listen((_, response) => void response.end(`wp_frames_work_pending 0\n# ${PLANTED}-REDIS_URL\n`)),
)

/** Each secret with a value of its own. Only the database must be real. */
function environment(): Record<string, string> {
  const { username, password } = new URL(network.url)
  const addresses: Record<string, string> = {
    DATABASE_URL: network.url,
    FEED_DATABASE_URL: `mysql://feeder:${PLANTED}-FEED_DATABASE_URL@127.0.0.1:9/`,
    REDIS_URL: `redis://:${PLANTED}-REDIS_URL@redis.test:6379`,
    OBJECT_CACHE_URL: `redis://:${PLANTED}-OBJECT_CACHE_URL@127.0.0.1:9/0`,
    PAGE_CACHE_PURGE: `http://purger:${PLANTED}-PAGE_CACHE_PURGE@cache.test,http://other.test`,
    WP_FRAMES_OLD_DATABASE: `mysql://u:${PLANTED}-WP_FRAMES_OLD_DATABASE@h/old`,
    WP_FRAMES_NEW_DATABASE: `mysql://u:${PLANTED}%2FWP_FRAMES_NEW_DATABASE@h/new`,
  }
  const secrets = secretVariables().map((name) => [
    name,
    addresses[name] ?? `${PLANTED}-${name}-${'x'.repeat(32)}`,
  ])
  expect(username + password).not.toBe('')
  return {
    ...Object.fromEntries(secrets),
    CACHE_TAG_HEADER: 'Cache-Tag',
    CACHE_PURGE: 'fastly://ID',
    TABLE_PREFIX: globals.basePrefix,
    LOG_LEVEL: 'silent',
    STATIC_DIR: join(folder, 'static'),
    METRICS_PORT: String(metrics.port),
  }
}

/** The bundle of a command, unpacked. */
async function makeBundle(
  name: string,
  args: readonly string[] = [],
): Promise<Map<string, string>> {
  const path = join(folder, name)
  const { code, stdout, stderr } = await runCommand(
    ['doctor', '--bundle', path, ...args],
    environment(),
  )
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  execFileSync('tar', ['-xzf', path, '-C', folder])
  const unpacked = join(folder, 'wp-frames-bundle')
  return new Map(
    readdirSync(unpacked).map((file) => [file, readFileSync(join(unpacked, file), 'utf8')]),
  )
}

it('a bundle contains no secret, no token and nothing of the content, and is of use', async () => {
  const token = await issueTokenFor(network, 'alice')
  const site = await network.site(2)
  const { frame } = createSiteFixture(db, site)
  await frame('planted', `<p>${CONTENT}</p><!-- svc/frmae {"name":"${CONTENT}"} /-->`)
  await db
    .sql(site.tables.posts)
    .where({ ID: 7 })
    .update({ post_title: CONTENT, post_name: CONTENT })
  await db
    .sql(site.tables.posts)
    .where({ post_type: 'nav_menu_item' })
    .update({ post_title: CONTENT })
  await putWork(network, 2, [{ name: '7', tries: 1 }])
  await db
    .sql(workTable(globals))
    .update({ error: `The page "${CONTENT}" at http://u:${PLANTED}-WORK@h of ${token} failed.` })
  const error = new Error(`Bearer ${PLANTED}-BEARER, <p>${CONTENT}</p>\n${CONTENT}`)
  const lines = [
    {
      level: 30,
      time: 1,
      msg: 'request completed',
      req: { id: 'r-1', method: 'GET', path: `/site/2/frames/${CONTENT}` },
      res: { status: 200 },
      site: 2,
      token: 3,
    },
    {
      level: 50,
      time: 2,
      msg: `failed with ${token}`,
      err: { type: 'Error', message: error.message, stack: error.stack },
      markup: CONTENT,
      headers: { authorization: token },
    },
    {
      level: 30,
      time: 3,
      msg: `mysql://feeder:${PLANTED}-FEED_DATABASE_URL@host and redis://:${PLANTED}-UNKNOWN@host`,
    },
    { level: 30, time: 4, msg: `planted-secret/WP_FRAMES_NEW_DATABASE` },
  ]
  const log = join(folder, 'service.log')
  const others = [`DATABASE_URL=${network.url} ${token}`, '<html>', `["${CONTENT}"]`]
  writeFileSync(log, `${[...others, ...lines.map((line) => JSON.stringify(line))].join('\n')}\n`)
  const files = await makeBundle('report.tar.gz', ['--log', log])
  const all = [...files].map(([name, text]) => `${name}\n${text}`).join('')
  for (const planted of [PLANTED, CONTENT, token, new URL(network.url).password || PLANTED])
    expect(all).not.toContain(planted)

  const json = (name: string) => JSON.parse(files.get(name) ?? '')
  const settings = json('settings.json')
  expect(Object.keys(settings).sort()).toEqual(Object.keys(EnvironmentSchema.shape).sort())
  expect(settings).toMatchObject({
    EXECUTOR_KEY: 'set',
    REDIS_URL: 'redis://redis.test:6379',
    PAGE_CACHE_PURGE: 'http://cache.test,http://other.test',
    STATIC_TARGET: 'not set',
    TABLE_PREFIX: globals.basePrefix,
  })
  expect(json('versions.json')).toMatchObject({
    node: process.version,
    database: { version: expect.stringMatching(/^\d+\.\d+/) },
    migrations: { pending: [] },
  })
  expect(json('database.json')).toHaveProperty('max_allowed_packet')
  expect(json('tables.json').of_the_service).toContainEqual(
    expect.objectContaining({ name: workTable(globals), engine: 'InnoDB' }),
  )
  expect(json('network.json')).toMatchObject({ purges: true })
  expect(json('findings.json').network).toContainEqual(
    expect.objectContaining({ check: 'feed_unusable' }),
  )
  expect(json('findings.json').sites).toContainEqual({
    site: 2,
    check: 'work_failing',
    severity: 'warning',
    count: 1,
  })
  expect(json('work.json').failures).toEqual([
    expect.objectContaining({ blogId: 2, error: expect.stringMatching(/^The page "\[name\]" at/) }),
  ])
  expect(json('feed.json')).toHaveProperty('feed')
  expect(files.get('metrics.txt')).toContain('wp_frames_work_pending 0')
  const [counted, first] = (files.get('log.jsonl') ?? '').split('\n')
  expect(JSON.parse(counted ?? '')).toEqual({ omitted_other_lines: others.length })
  expect(JSON.parse(first ?? '')).toEqual({
    level: 30,
    time: 1,
    site: 2,
    token: 3,
    msg: 'request completed',
    req: { id: 'r-1', method: 'GET', path: '/site/2/frames/[name]' },
    res: { status: 200 },
  })
  for (const name of files.keys())
    if (name !== 'README.txt') expect(files.get('README.txt')).toContain(`${name}: `)
})

it('a bundle is bounded, and made without a database and without a log', async () => {
  const line = JSON.stringify({ level: 30, msg: 'm'.repeat(100) })
  const log = join(folder, 'long.log')
  writeFileSync(log, `${`${line}\n`.repeat(3 * MAX_LOG_LINES)}${'x'.repeat(200_000)}\n`)
  const long = await makeBundle('long.tar.gz', ['--log', log])
  expect(long.get('log.jsonl')?.split('\n')).toHaveLength(MAX_LOG_LINES + 2)
  const path = join(folder, 'without.tar.gz')
  const env = {
    ...environment(),
    DATABASE_URL: `mysql://u:${PLANTED}@127.0.0.1:9/none`,
    METRICS_PORT: '9',
  }
  expect((await runCommand(['doctor', '--bundle', path], env)).code).toBe(0)
  const text = String(execFileSync('tar', ['-xzOf', path]))
  expect(text).toContain('database_unreachable')
  expect(text).toContain('No service answered at http://127.0.0.1:9/metrics')
  expect(text).not.toContain(PLANTED)
})

it('says what is wrong with the file or the options', async () => {
  const run = async (...args: string[]) => {
    const { code, stderr } = await runCommand(['doctor', ...args], environment())
    return `${code} ${stderr}`
  }
  const path = join(folder, 'exists.tar.gz')
  writeFileSync(path, 'mine')
  expect(await run('--bundle', path)).toBe(
    `1 "${path}" exists. Delete it, or choose another name.\n`,
  )
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect(await run('--bundle', join(folder, 'no', 'x'))).toContain('cannot be written (ENOENT)')
  expect(await run('--bundle', join(folder, 'x'), '--log', join(folder, 'no'))).toContain(
    'cannot be read (ENOENT)',
  )
  expect(await run('--bundle', 'x', '--network', '--fix')).toContain('cannot be combined with')
  expect(await run('--log', 'x')).toContain('--log needs --bundle')
  expect(readdirSync(folder).filter((name) => name.startsWith('.wp-frames'))).toEqual([])
})
