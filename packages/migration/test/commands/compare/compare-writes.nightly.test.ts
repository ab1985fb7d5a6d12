import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentWrites } from '../../../../../src/api/endpoints/batch.ts'
import { runCommand } from '../../../../../test/support/cli.ts'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import { freePort } from '../../../../../test/support/free-port.ts'
import { cloneNetwork, useNetwork } from '../../../../../test/support/network.ts'
import { createSiteFixture } from '../../../../../test/support/site-fixture.ts'
import { use, useFolder } from '../../../../../test/support/use.ts'
import type { ComparisonReport } from '../../../src/compare/comparison-report.ts'
import { reportIn } from '../../comparison.ts'
import { changingJson } from '../../deviating-endpoint.ts'
import { startScratchEndpoint } from '../../scratch-endpoint.ts'

const network = await useNetwork()
const { basePrefix } = network.globals
const shop = createSiteFixture(network.db, await network.site(2))
await shop.frame('site-header', '<header>one</header>')
const [oldDatabase, newDatabase] = [await use(emptyDatabase()), await use(emptyDatabase())]
const old = await use(startScratchEndpoint(oldDatabase.url, basePrefix))
const folder = await useFolder('compare-writes')

const environment = {
  XDG_CONFIG_HOME: folder,
  LOG_LEVEL: 'silent',
  DATABASE_URL: network.url,
  TABLE_PREFIX: basePrefix,
  WP_FRAMES_OLD_TOKEN: old.token,
  WP_FRAMES_OLD_DATABASE: oldDatabase.url,
  WP_FRAMES_NEW_DATABASE: newDatabase.url,
}

const run = (...args: string[]) =>
  runCommand(['compare', '--writes', '--old', old.url, ...args], environment)
const compare = async (...args: string[]) => {
  old.reset()
  return reportIn(await run('--json', ...(args.includes('--site') ? [] : ['--site', '2']), ...args))
}

const fieldsOf = ({ differences }: ComparisonReport): string[] =>
  differences.map(({ route, field, kind }) => `${route} ${field} ${kind}`).sort()

describe('compare --writes', () => {
  it('finds nothing where both write alike, in every endpoint that writes', async () => {
    const before = await checksums()
    const report = await compare('--site', '2,4')
    expect([report.differences, report.code]).toEqual([[], 0])
    const routes = report.times.map(({ route }) => route)
    const written = contentWrites.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    const one = 'POST /frames/defaults'
    for (const route of written.filter((name) => !/\/defaults$/.test(name)))
      expect(routes).toContain(route)
    expect(routes).toContain(one)
    expect(routes).toContain('POST /frames/rebake')
    // The network itself is only read.
    expect(await checksums()).toEqual(before)
  })

  it('finds what differs in rows, at the write that caused it', async () => {
    old.reset()
    let isDone = false
    old.deviate(async (response, { method, path }) => {
      if (isDone || method !== 'PUT' || response.status !== 200 || !path.includes('/frames/'))
        return
      isDone = true
      await old.db.sql(`${basePrefix}2_postmeta`).insert({ post_id: 2, meta_key: '_svc_frame' })
      await old.db
        .sql(`${basePrefix}2_options`)
        .insert({ option_name: 'own_cache', option_value: '1', autoload: 'no' })
    })
    const report = reportIn(await run('--site', '2', '--json'))
    expect([fieldsOf(report), report.code]).toEqual([
      ['PUT /frames/{ref} rows.postmeta[] missing'],
      1,
    ])
    expect(report.apart).toContainEqual(
      expect.objectContaining({ route: 'PUT /frames/{ref}', kind: 'own_row' }),
    )
  })

  it('finds what differs in answers, with ids and dates masked', async () => {
    old.reset()
    old.deviate(
      changingJson(/\/menus\/wpf-compare-main\/items$/, (body) => ({ ...body, total: '3' })),
    )
    const report = reportIn(await run('--site', '2', '--json'))
    expect(fieldsOf(report)).toEqual([
      'POST /menus/{ref}/items total type',
      'PUT /menus/{ref}/items total type',
    ])
  })

  it('sends recorded requests, with the ids of items on each side', async () => {
    const file = join(folder, 'requests.jsonl')
    const lines = [
      {
        method: 'POST',
        path: '/site/2/menus',
        body: { name: 'R', items: [{ url: '/a', title: 'A' }] },
      },
      { method: 'PATCH', path: '/site/2/menus/r/items/{item:A}', body: { title: 'B' } },
      { method: 'DELETE', path: '/site/2/menus/r/items/{item:B}' },
    ]
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const report = await compare('--requests', file)
    expect([report.differences, report.code]).toEqual([[], 0])
    expect(report.times.map(({ route }) => route)).toEqual([
      'POST /menus',
      'PATCH /menus/{ref}/items/{id}',
      'DELETE /menus/{ref}/items/{id}',
    ])
    for (const [text, message] of [
      ['{"method":"PUT"}', ':1: path'],
      ['{"method":"GET","path":"/site/3/frames"}', '/site/3/frames is not of a site in --site'],
      ['nonsense', ':1: the line'],
    ] as const) {
      await writeFile(file, `${text}\n`)
      expect(await run('--site', '2', '--requests', file)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message),
      })
    }
  })
})

describe('compare --writes refuses', () => {
  const other = async (changed: Record<string, string>, ...args: string[]) =>
    runCommand(['compare', '--writes', '--old', old.url, '--site', '2', ...args], {
      ...environment,
      ...changed,
    })
  /** The same server, written in another way. */
  const spelled = (url: string): string => {
    const { pathname } = new URL(url)
    return Object.assign(new URL(url), { hostname: 'localhost', pathname }).href
  }

  it('the database of the network, however it is written', async () => {
    const before = await checksums()
    for (const url of [network.url, spelled(network.url)])
      for (const [name, option] of [
        ['WP_FRAMES_OLD_DATABASE', '--old-database'],
        ['WP_FRAMES_NEW_DATABASE', '--new-database'],
      ] as const)
        expect(await other({ [name]: url })).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringContaining(`${option} is the database of the network`),
        })
    expect(await checksums()).toEqual(before)
  })

  it('one database for both', async () => {
    expect(await other({ WP_FRAMES_NEW_DATABASE: spelled(oldDatabase.url) })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('are the same database'),
    })
  })

  it('a database that holds another network', async () => {
    const live = await cloneNetwork()
    try {
      const { code, stderr } = await other({ WP_FRAMES_OLD_DATABASE: live.url })
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('tables that this command did not create'),
      ])
      expect(await live.db.sql(live.globals.blogs).select('blog_id')).not.toEqual([])
    } finally {
      await live.drop()
    }
  })

  it('an endpoint that works on another database', async () => {
    const [another] = [await emptyDatabase()]
    try {
      const { code, stderr } = await other({ WP_FRAMES_OLD_DATABASE: another.url })
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('does not work on --old-database'),
      ])
    } finally {
      await another.drop()
    }
  })

  it('a token that may not administer the site', async () => {
    old.reset()
    old.deviate((response, { path }) => {
      if (path === '/site/2/menus') response.status = 404
    })
    const { code, stderr } = await other({})
    old.reset()
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('answers 404 to GET /site/2/menus. Use a token of an administrator'),
    ])
  })

  it('what is missing or wrong', async () => {
    const { DATABASE_URL: _, ...without } = environment
    const cases = [
      [await runCommand(['compare', '--writes', '--old', old.url, '--site', '2'], without), 1],
      [await other({ WP_FRAMES_OLD_DATABASE: '' }), 1],
      [
        await other({
          WP_FRAMES_OLD_DATABASE: `mysql://root:secret@127.0.0.1:${await freePort()}/x`,
        }),
        1,
      ],
      [await other({}, '--old-database', 'mysql://host'), 2],
      [await other({}, '--deep'), 2],
      [await run('--network'), 2],
      [await run('--site', '77'), 1],
      [await other({}, '--user', 'nobody-at-all'), 1],
    ] as const
    expect(cases.map(([{ code }]) => code)).toEqual(cases.map(([, code]) => code))
    for (const [{ stderr }] of cases) expect(stderr).not.toMatch(/op_t|secret/)
    expect(cases[2][0].stderr).toMatch(/^--old-database \(127.0.0.1:\d+\/x\): /)
  })
})

async function checksums(): Promise<unknown> {
  const { sql } = network.db
  const { options, posts, postmeta, terms } = (await network.site(2)).tables
  return (await sql.raw('CHECKSUM TABLE ??, ??, ??, ??', [options, posts, postmeta, terms]))[0]
}
