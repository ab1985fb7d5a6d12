import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandsOn, runCommand } from '../../support/cli.ts'
import { useNetwork } from '../../support/network.ts'
import { useFolder } from '../../support/use.ts'

const network = await useNetwork({ charset: 'utf8mb4' })
const staticDir = await useFolder('doctor')

const { environment } = commandsOn(network, staticDir)
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(['doctor', ...args], { ...environment, ...env })
/** Without the line that names the database. */
const doctor: typeof run = async (...args) => {
  const result = await run(...args)
  return { ...result, stdout: result.stdout.replace(/^The database .*\n/, '') }
}
const { termTaxonomy } = (await network.site(2)).tables
const menu = () => network.db.sql(termTaxonomy).where({ term_id: 24 })
const setCount = (count: number) => menu().update({ count })
const countOf = async (): Promise<number> => (await menu().first('count')).count

const BROKEN_LINKS = `net.test/shop (site 2)
  warning: A menu item leads to something that is gone (item_target_missing)
    Item 46 of menu "Footer" (26) links to page "Trashed page" (23), which is in the trash.
    Impact: Visitors do not see the item, and the items below it move to another position.
    Fix: Restore the target, or remove the item from the menu.

  warning: A menu item leads to something that is not public (item_target_not_public)
    Item 47 of menu "Footer" (26) links to page "Draft page" (19), which has the status "draft".
    Item 48 of menu "Footer" (26) links to page "Private page" (20), which has the status "private".
    Item 49 of menu "Footer" (26) links to page "Future page" (21), which has the status "future".
    Item 50 of menu "Footer" (26) links to page "Password page" (22), which has a password.
    Impact: Visitors see the item, but they cannot read what it links.
    Fix: Publish the target, or remove the item from the menu.

`
const MISCOUNTED = `net.test/shop (site 2)
  error: A menu has a wrong number of items (menu_count_wrong)
    Menu "Menu principal" (24) has a stored count of 0 items, but 7 are published.
    Impact: WordPress does not show a menu whose count is 0.
    Fix: Save the menu in wp-admin, or run "doctor --fix".

${BROKEN_LINKS.slice(BROKEN_LINKS.indexOf('\n') + 1)}`

describe('doctor', () => {
  it('says which database it checks, and how it is reached', async () => {
    const { host, pathname } = new URL(network.url)
    const [first] = (await run(['--network'])).stdout.split('\n')
    expect(first).toBe(`The database ${pathname.slice(1)}, by TCP at ${host}.`)
    const url = `${network.url}?socketPath=/nowhere/mysqld.sock`
    const { stdout } = await run(['--network'], { DATABASE_URL: url })
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      `The database ${pathname.slice(1)}, through the socket /nowhere/mysqld.sock.`,
      'The network',
      '  error: The database does not answer (database_unreachable)',
      '    The database is unreachable: no server listens at /nowhere/mysqld.sock (ENOENT).',
    ])
  })

  it('reports the warnings of the network with exit code 0', async () => {
    expect(await doctor(['--network'])).toEqual({
      code: 0,
      stdout: `${BROKEN_LINKS}Checked 7 sites: 5 warnings.\n`,
      stderr: '',
    })
  })

  it('checks a single site', async () => {
    expect(await doctor(['--site', '2'])).toMatchObject({
      code: 0,
      stdout: `${BROKEN_LINKS}Checked 1 site: 5 warnings.\n`,
    })
    expect(await doctor(['--site', 'brand.test'])).toMatchObject({
      code: 0,
      stdout: 'Checked 1 site: nothing wrong.\n',
    })
  })

  it('exits with 1 if there are errors, and writes nothing', async () => {
    await setCount(0)
    expect(await doctor(['--network'])).toEqual({
      code: 1,
      stdout: `${MISCOUNTED}Checked 7 sites: 1 error, 5 warnings.\n`,
      stderr: 'Found 1 error.\n',
    })
    expect(await countOf()).toBe(0)
  })

  it('prints JSON', async () => {
    const { code, stdout } = await doctor(['--network', '--json'])
    const sites = JSON.parse(stdout)
    expect(code).toBe(1)
    const ids = sites.map((site: { site_id: number }) => site.site_id)
    expect(ids).toEqual([null, 1, 2, 3, 4, 5, 6, 7])
    // The fields of a finding are those of the API: `endpoint-answers.test.ts`.
    expect(sites[2]).toMatchObject({
      address: 'net.test/shop',
      state: 'failed',
      outcome: '1 error, 5 warnings',
      total: 6,
      findings: [{ check: 'menu_count_wrong', fix: sites[2].fixes[0].id }, {}, {}, {}, {}, {}],
      fixes: [{ summary: 'Corrects the count of menu 24.', findings: 1 }],
    })
    const one = JSON.parse((await doctor(['--site', '3', '--json'])).stdout)
    expect(one).toEqual({ success: true, site_id: 3, total: 0, findings: [], fixes: [] })
  })

  it('shows the fixes, and asks before it applies them', async () => {
    const plan = 'Fixes:\n  Site 2: Corrects the count of menu 24.\n'
    const dry = await doctor(['--site', '2', '--fix', '--dry-run'])
    expect(dry).toMatchObject({
      code: 1,
      stdout: `${MISCOUNTED}${plan}Checked 1 site: 1 error, 5 warnings.\n`,
    })
    const asked = await doctor(['--site', '2', '--fix'])
    expect(asked).toEqual({
      code: 1,
      stdout: `${MISCOUNTED}${plan}`,
      stderr: 'Confirmation needs a terminal. Nothing was changed; add --yes to confirm.\n',
    })
    expect(await countOf()).toBe(0)
  })

  it('applies the fixes, and reports what remains', async () => {
    expect(await doctor(['--network', '--fix', '--yes'])).toEqual({
      code: 0,
      stdout: `${MISCOUNTED}Fixes:
  Site 2: Corrects the count of menu 24.
Fixed: 1 error.
${BROKEN_LINKS}Checked 7 sites: 5 warnings.
`,
      stderr: '',
    })
    expect(await countOf()).toBe(7)
    expect((await doctor(['--network', '--fix', '--yes'])).stdout).toBe(
      `${BROKEN_LINKS}No fix is safe without you: each problem needs your decision.\nChecked 7 sites: 5 warnings.\n`,
    )
  })

  it('lists resolved findings in JSON', async () => {
    await setCount(9)
    const { stdout } = await doctor(['--site', '2', '--fix', '--yes', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      site_id: 2,
      findings: Array(5).fill({ severity: 'warning' }),
      fixed: [{ check: 'menu_count_wrong' }],
    })
  })

  it('prints the fix hint below each finding of a group if they differ', async () => {
    const { options, posts } = (await network.site(3)).tables
    const convert = (engine: string) =>
      Promise.all(
        [options, posts].map((table) =>
          network.db.sql.raw(`ALTER TABLE ?? ENGINE=${engine}`, table),
        ),
      )
    await convert('MyISAM')
    const { stdout } = await doctor(['--site', '3'])
    await convert('InnoDB')
    expect(stdout).toBe(`net.test/docs (site 3)
  error: A table does not keep writes together (engine_not_transactional)
    The table "${options}" uses the engine MyISAM instead of InnoDB.
      Fix: ALTER TABLE ${options} ENGINE=InnoDB;
    The table "${posts}" uses the engine MyISAM instead of InnoDB.
      Fix: ALTER TABLE ${posts} ENGINE=InnoDB;
    Impact: Failed writes are not rolled back, and concurrent writes can overwrite each other.

Checked 1 site: 2 errors.
`)
  })

  it('lists the first findings of a large group without control characters, and fixes all', async () => {
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
    const [before = '', after] = stdout.split('Fixed: 6 errors.\n')
    expect(before.match(/contains a static copy of page 2/g)).toHaveLength(5)
    expect(before).toContain('    And 1 more; --json lists all.\n')
    expect(before).toContain('old-^[[31m')
    expect(before).not.toContain('\u001b')
    expect(after).toBe(`${BROKEN_LINKS}Checked 7 sites: 5 warnings.\n`)
    expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  })

  it('checks the whole network if no site is named', async () => {
    expect(await doctor(['--json'])).toEqual(await doctor(['--network', '--json']))
  })

  it('requires a site or --network for fixes', async () => {
    for (const args of [['--fix'], ['--fix', '--yes'], ['--fix', '--dry-run'], ['--fix', '--json']])
      expect(await doctor(args)).toEqual({
        code: 2,
        stdout: '',
        stderr: 'error: --fix needs --site or --network\n',
      })
  })
})
