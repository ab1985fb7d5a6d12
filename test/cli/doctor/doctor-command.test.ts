import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../support/cli.ts'
import { cloneNetwork, type TestNetwork } from '../../support/network.ts'

let network: TestNetwork
let staticDir: string
beforeAll(async () => {
  network = await cloneNetwork({ charset: 'utf8mb4' })
  staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-doctor-'))
})
afterAll(async () => {
  await network.drop()
  await rm(staticDir, { recursive: true })
})

const doctor = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(['doctor', ...args], {
    DATABASE_URL: network.url,
    TABLE_PREFIX: network.globals.basePrefix,
    STATIC_DIR: staticDir,
    LOG_LEVEL: 'silent',
    ...env,
  })
const setCount = async (count: number) => {
  const { termTaxonomy } = (await network.site(2)).tables
  await network.db.sql(termTaxonomy).where({ term_id: 24 }).update({ count })
}
const countOf = async (): Promise<number> => {
  const { termTaxonomy } = (await network.site(2)).tables
  return (await network.db.sql(termTaxonomy).where({ term_id: 24 }).first('count')).count
}

const TRASHED = `net.test/shop (site 2)
  warning: item_target_missing
    Item 46 of menu "Footer" (26) links the page 23, which is in the trash.
    Why it matters: Visitors do not see the item; what stands below it loses its place.
    To mend it: Restore what it links, or remove the item in wp-admin or with DELETE /menus/26/items/46.

`
const MISCOUNTED = `net.test/shop (site 2)
  error: menu_count_wrong
    Menu "Menu principal" (24) is counted to have 0 items; 7 are published.
    Why it matters: WordPress shows nothing of a menu whose count is 0.
    To mend it: Save the menu in wp-admin, or let the doctor count it anew.

${TRASHED.slice(TRASHED.indexOf('\n') + 1)}`

describe('doctor', () => {
  it('tells what is wrong in the network, and that nothing is an error', async () => {
    expect(await doctor(['--network'])).toEqual({
      code: 0,
      stdout: `${TRASHED}7 sites examined: 1 warning.\n`,
      stderr: '',
    })
  })

  it('tells the same of one site, and nothing of a healthy one', async () => {
    expect(await doctor(['--site', '2'])).toMatchObject({
      code: 0,
      stdout: `${TRASHED}1 site examined: 1 warning.\n`,
    })
    expect(await doctor(['--site', 'brand.test'])).toMatchObject({
      code: 0,
      stdout: '1 site examined: nothing wrong.\n',
    })
  })

  it('fails where there are errors, and writes nothing', async () => {
    await setCount(0)
    expect(await doctor(['--network'])).toEqual({
      code: 1,
      stdout: `${MISCOUNTED}7 sites examined: 1 error, 1 warning.\n`,
      stderr: 'Not all is well: 1 error.\n',
    })
    expect(await countOf()).toBe(0)
  })

  it('prints objects for programs', async () => {
    const { code, stdout } = await doctor(['--network', '--json'])
    const sites = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(sites.map((site: { site_id: number }) => site.site_id)).toEqual([
      ...[null, 1, 2, 3, 4, 5, 6, 7],
    ])
    expect(sites[2]).toMatchObject({
      site_id: 2,
      address: 'net.test/shop',
      state: 'failed',
      outcome: '1 error, 1 warning',
      findings: [
        {
          site: 2,
          check: 'menu_count_wrong',
          severity: 'error',
          what: expect.stringContaining('Menu principal'),
          why: expect.any(String),
          mend: expect.any(String),
          remedy: 'Counts the items of menu 24 anew.',
        },
        { check: 'item_target_missing', remedy: null },
      ],
    })
    const one = JSON.parse((await doctor(['--site', '3', '--json'])).stdout)
    expect(one).toEqual({
      ...{ site_id: 3, address: 'net.test/docs', state: 'done', outcome: 'nothing wrong' },
      findings: [],
    })
  })

  it('shows what it would do, and asks before it does', async () => {
    const plan = '--fix does this:\n  Site 2: Counts the items of menu 24 anew.\n'
    const dry = await doctor(['--site', '2', '--fix', '--dry-run'])
    expect(dry).toMatchObject({
      code: 1,
      stdout: `${MISCOUNTED}${plan}1 site examined: 1 error, 1 warning.\n`,
    })
    const asked = await doctor(['--site', '2', '--fix'])
    expect(asked).toEqual({
      code: 1,
      stdout: `${MISCOUNTED}${plan}`,
      stderr: 'Nothing was done: there is no terminal to ask on. Add --yes.\n',
    })
    expect(await countOf()).toBe(0)
  })

  it('mends, and tells what is left', async () => {
    expect(await doctor(['--network', '--fix', '--yes'])).toEqual({
      code: 0,
      stdout: `${MISCOUNTED}--fix does this:
  Site 2: Counts the items of menu 24 anew.
Mended: 1 error.
${TRASHED}7 sites examined: 1 warning.
`,
      stderr: '',
    })
    expect(await countOf()).toBe(7)
    expect((await doctor(['--network', '--fix', '--yes'])).stdout).toBe(
      `${TRASHED}There is nothing to mend.\n7 sites examined: 1 warning.\n`,
    )
  })

  it('tells programs what it mended', async () => {
    await setCount(9)
    const { stdout } = await doctor(['--site', '2', '--fix', '--yes', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: '1 warning',
      mended: [{ check: 'menu_count_wrong' }],
    })
  })

  it('tells of faults of one kind how to mend each', async () => {
    const { options, posts } = (await network.site(3)).tables
    const keep = (engine: string) =>
      Promise.all(
        [options, posts].map((table) =>
          network.db.sql.raw(`ALTER TABLE ?? ENGINE=${engine}`, table),
        ),
      )
    await keep('MyISAM')
    const { stdout } = await doctor(['--site', '3'])
    await keep('InnoDB')
    expect(stdout).toBe(`net.test/docs (site 3)
  error: engine_not_transactional
    The table "${options}" is kept by MyISAM and not by InnoDB.
      To mend it: ALTER TABLE ${options} ENGINE=InnoDB;
    The table "${posts}" is kept by MyISAM and not by InnoDB.
      To mend it: ALTER TABLE ${posts} ENGINE=InnoDB;
    Why it matters: A write that fails half-way stays half-done there, and two writers can undo each other.

1 site examined: 2 errors.
`)
  })

  it('tells of the first of many, in what a terminal may show, and mends all', async () => {
    const folders = [1, 2, 3, 4, 5, 6].map((n) => join(staticDir, 'net.test', `old-\u001b[31m${n}`))
    for (const folder of folders) {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'index.html'), 'old')
      await writeFile(
        join(folder, '.page.json'),
        JSON.stringify({ site: 1, page: 2, url: 'http://net.test/old' }),
      )
    }
    const { stdout } = await doctor(['--network', '--fix', '--yes'])
    const [before = '', after] = stdout.split('Mended: 6 errors.\n')
    expect(before.match(/lies a static copy of page 2/g)).toHaveLength(5)
    expect(before).toContain('    And 1 more; --json shows all.\n')
    expect(before).toContain('old-^[[31m')
    expect(before).not.toContain('\u001b')
    expect(after).toBe(`${TRASHED}7 sites examined: 1 warning.\n`)
    expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  })

  it('tells of a database that is away as of any fault', async () => {
    const url = new URL(network.url)
    url.port = '1'
    for (const args of [['--network'], ['--site', '2']]) {
      const { code, stdout } = await doctor(args, { DATABASE_URL: url.href })
      expect([code, stdout.split('\n').slice(0, 3)]).toEqual([
        1,
        [
          'The network',
          '  error: database_unreachable',
          "    The database can't be reached (ECONNREFUSED).",
        ],
      ])
    }
  })

  it('wants to know where to look', async () => {
    expect((await doctor([])).code).toBe(2)
    expect((await doctor(['--site', '99'])).stderr).toContain('There is no site with the id 99')
  })
})
