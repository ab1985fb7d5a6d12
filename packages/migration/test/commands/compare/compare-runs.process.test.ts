import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { spawnCommand } from '../../../../../test/support/cli-process.ts'
import { fieldsOf, reportIn, useComparison } from '../../comparison.ts'
import { changingJson, type Deviation } from '../../deviating-endpoint.ts'

const { shop, old, ours, env, folder, token, run, compareWith } = await useComparison()

const everyIdAsText = changingJson(/\/menus$/, (body) => {
  for (const menu of body.menus as Record<string, unknown>[]) menu.id = String(menu.id)
})

describe('compare', () => {
  it('calls a resource not comparable whose rows change with each request', async () => {
    let count = 0
    for (const side of [old, ours]) side.reset()
    const answered = new Map<string, number>()
    old.deviate((_, { method, path }) => {
      const key = `${method} ${path}`
      answered.set(key, (answered.get(key) ?? 0) + 1)
    })
    const begun = new Map<string, number>()
    ours.before(async ({ method, path }) => {
      if (!/\/site\/2\/frames|blog_id=2\b/.test(path)) return
      const key = `${method} ${path}`
      const number = (begun.get(key) ?? 0) + 1
      begun.set(key, number)
      while ((answered.get(key) ?? 0) < number) await sleep(5)
      count += 1
      await shop.frame('card', `<p>${count}</p>`)
    })
    const report = reportIn(await run('--site', '2', '--json'))
    expect(fieldsOf(report)).toEqual([])
    expect(report.code).toBe(1)
    expect(report.not_comparable.map(({ request }) => request)).toContain(
      'GET /site/2/frames?include_html=1',
    )
    expect(report.stderr).toContain('not comparable: run it again')
    expect(ours.requests.filter(({ path }) => /site\/2|blog_id=2/.test(path)).length).toBeLessThan(
      22,
    )
  })

  it('ends at once if the old endpoint stores a dry run', async () => {
    const stored: Deviation = (response, { method }) => {
      if (method !== 'PUT') return
      const { dry_run: _, ...body } = JSON.parse(response.body)
      response.body = JSON.stringify({ ...body, applied: true, updated: true })
    }
    for (const side of [old, ours]) side.reset()
    old.deviate(stored)
    const { code, stdout, stderr } = await run('--site', '2')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/PUT \/site\/2\/frames\/\S+ with dry_run: true as if it had stored/)
    expect(stderr).toContain('Run it with --no-dry-runs.')
    expect((await compareWith(stored, '--no-dry-runs')).code).toBe(0)
  })

  it('takes the time of a dry run for no difference, and any other value for one', async () => {
    let second = 0
    const changing =
      (slug: string): Deviation =>
      (response, { method }) => {
        if (method !== 'PUT') return
        second += 1
        const body = JSON.parse(response.body)
        const written = new Date(Date.now() + second * 1000).toISOString().slice(0, 19)
        Object.assign(body.frame, { updated_at_gmt: written.replace('T', ' '), slug })
        response.body = JSON.stringify(body)
      }
    const later = await compareWith(changing('card'))
    expect([later.code, later.differences, later.noise]).toEqual([0, [], []])
    expect(second).toBeGreaterThan(0)
    const other = await compareWith(changing('other'))
    expect(other.differences.map(({ field }) => field)).toEqual(['frame.slug'])
  })

  it('does not call equal what wp-frames passes to the old endpoint', async () => {
    for (const side of [old, ours]) side.reset()
    ours.deviate((response, { path }) => {
      if (/\/menus/.test(path)) delete response.headers['x-request-id']
    })
    const { code, stdout, stderr } = await run('--site', '2')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /Compared with itself, .*\n {2}GET \/menus\n {2}PATCH \/menus\/\{ref\}\n/,
    )
    expect(stderr).toContain('2 routes passed to the old endpoint by wp-frames.')
    expect(stderr).toContain('The old endpoint answers GET /me as wp-frames does.')
  })

  it('accepts differences with a reason, and lists those that were not found', async () => {
    const file = join(folder, 'accepted.yaml')
    await writeFile(
      file,
      `- route: GET /menus
  field: menus[].id
  kind: type
  reason: The clients convert ids.
- route: GET /frames*
  field: frames[].bytes
  reason: Once upon a time.
`,
    )
    const report = await compareWith(everyIdAsText, '--accept', file)
    expect([report.code, fieldsOf(report)]).toEqual([0, []])
    expect(report.accepted).toMatchObject([
      { field: 'menus[].id', reason: 'The clients convert ids.' },
    ])
    expect(report.unused_acceptances).toMatchObject([{ field: 'frames[].bytes' }])
  })

  it('goes on with other sites if one cannot be compared', async () => {
    for (const side of [old, ours]) side.reset()
    old.before(async ({ path }) => (/\/site\/3\/|blog_id=3\b/.test(path) ? 'drop' : undefined))
    const { code, stdout, stderr } = await run('--network', '--json')
    const { sites } = JSON.parse(stdout)
    const failed = sites.filter(({ state }: { state: string }) => state === 'not_compared')
    expect(failed).toMatchObject([
      { site_id: 3, reason: expect.stringContaining('does not answer') },
    ])
    expect(code).toBe(1)
    expect(stderr).toContain('1 site not compared')
    expect(sites.length).toBeGreaterThan(3)
  })

  it('prints a report for people', async () => {
    for (const side of [old, ours]) side.reset()
    old.deviate(everyIdAsText)
    const { code, stdout, stderr } = await run('--network')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ {2}GET \/menus {2}menus\[\]\.id: other JSON type, on \d+ sites?$/m)
    expect(stdout).toMatch(/^ {4}GET \/site\/\d+\/menus: menus\[\d+\]\.id$/m)
    expect(stdout).toMatch(/^ {4}- "\d+"$/m)
    expect(stderr).toMatch(/sites at 120 requests a minute to each side: about \d+ s, and at most/)
    expect(stderr).toContain('1 difference.')
    for (const text of [stdout, stderr]) expect(text).not.toContain(token)
  })

  it('continues after an interruption', async () => {
    for (const side of [old, ours]) side.reset()
    old.before(() => sleep(40))
    const args = ['compare', '--old', old.url, '--new', ours.url, '--network', '--json']
    const { child, ended } = await spawnCommand(args, env)
    const files = join(folder, 'wp-frames', 'comparisons')
    const stored = async (): Promise<string> => {
      // A file that begins with a dot is being written, and gets its name afterwards.
      const names = await readdir(files).catch(() => [])
      const name = names.find((name) => !name.startsWith('.'))
      return name === undefined ? '' : readFile(join(files, name), 'utf8')
    }
    while ((await stored()).split('\n').length < 5) await sleep(20)
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    expect([code, stdout]).toEqual([130, ''])
    expect(stderr).toMatch(/Stopped: \d+ of \d+ sites are compared\. Run the same command again/)
    const text = await stored()
    expect(text).not.toContain(token)
    const [name = ''] = await readdir(files)
    expect((await stat(join(files, name))).mode & 0o077).toBe(0)
    for (const side of [old, ours]) side.reset()
    // A line may be torn.
    await writeFile(join(files, name), `${text}\n{"site_id":9`)
    const done = text.split('\n').flatMap((line) => (line ? [JSON.parse(line).site_id] : []))
    const again = reportIn(await run('--network', '--json'))
    expect([again.code, fieldsOf(again)]).toEqual([0, []])
    expect(again.stderr).toContain('Continuing the comparison of')
    for (const id of done.filter((id) => id > 0))
      expect(old.requests.filter(({ path }) => path.startsWith(`/site/${id}/menus`))).toEqual([])
    expect(await readdir(files)).toEqual([])
  })

  it('refuses the state of another comparison', async () => {
    const file = join(folder, 'state')
    await writeFile(file, `${JSON.stringify({ version: 1, old: 'x', new: 'y' })}\n`)
    expect(await run('--site', '2', '--resume', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has the state of another comparison (x with y)'),
    })
    for (const side of [old, ours]) side.reset()
    expect((await run('--site', '2', '--resume', file, '--restart')).code).toBe(0)
  })
})
