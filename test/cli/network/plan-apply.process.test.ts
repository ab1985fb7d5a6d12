import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { listEntries } from '../../../src/record/history/read-history.ts'
import { commandsOn } from '../../support/cli.ts'
import { spawnCommand } from '../../support/cli-process.ts'
import { damageOf, damageTable } from '../../support/damages.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useFolder } from '../../support/use.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

/** Two sites, which the description selects. */
const network = await useTruth()
const base = await useFolder('apply')
const fixtureOf = async (blogId: number) =>
  createSiteFixture(network.db, await network.site(blogId))
const shop = await fixtureOf(2)
const docs = await fixtureOf(3)
await Promise.all([shop, docs].map((site) => site.page({ slug: 'described' })))

const { environment, run, json } = commandsOn(network)

let folder: string
let descriptions = 0
beforeEach(async () => {
  descriptions += 1
  folder = join(base, `network-${descriptions}`)
  await mkdir(join(folder, 'frames'), { recursive: true })
  await writeFile(
    join(folder, 'network.yaml'),
    `version: 1
name: ${name()}
sites:
  - match: { id: [2, 3] }
    bundles: [base]
    variables: { tone: ${name()} }
bundles:
  base:
    frames: [frames/*.html]
    menus: [menu.yaml]
    pages: { described: ${name()}-page }
`,
  )
  await writeFrame(`${name()}-page`, '<p>page</p>')
  await writeFile(
    join(folder, 'menu.yaml'),
    `name: Menu ${name()}
slug: menu-${name()}
items:
  - page: described
`,
  )
})

const name = (): string => `d${descriptions}`
const writeFrame = (slug: string, html: string): Promise<void> =>
  writeFile(join(folder, 'frames', `${slug}.html`), html)

describe('plan and apply', () => {
  it('prints equal plans of several sites once', async () => {
    const { code, stdout } = await run('plan', folder, '--details')
    expect(code).toBe(0)
    expect(stdout).toMatch(/net\.test\/\S* \(site 2\), \S+ \(site 3\): 4 steps/)
    expect(stdout.match(/\+<p>page<\/p>/g)).toHaveLength(1)
    expect(stdout).toContain('2 sites: 8 steps on 2 sites, 0 without changes')
    expect((await run('plan', folder)).stdout).not.toContain('+<p>')
    expect((await run('plan', folder, '--exit-code')).code).toBe(2)
  })

  it('applies what it has planned, and then nothing', async () => {
    const applied = await json('apply', folder)
    expect(applied).toMatchObject({ code: 0, state: 'done', sites: { applied: 2 } })
    expect((await run('plan', folder, '--exit-code')).code).toBe(0)
    expect(await json('apply', folder)).toMatchObject({
      code: 0,
      results: [{ steps: 0 }, { steps: 0 }],
    })
    expect(await docs.option('svc_data_variables')).toBe(`{"tone":"${name()}"}`)
    const { stdout } = await run('runs')
    expect(stdout).toMatch(/^id +title +state +created_at +label +steps +sites$/m)
    expect(stdout).toMatch(/^[0-9a-f]{8} .* 8 +2 applied$/m)
    expect(stdout).toContain(`${name()}`)
    expect(stdout).toContain('2 applied')
  })

  it('does not succeed with a saved plan of blocked sites, to which it does nothing', async () => {
    await writeFile(
      join(folder, 'menu.yaml'),
      'name: Blocked\nslug: blocked\nitems:\n  - page: nowhere\n',
    )
    const file = join(folder, 'blocked.json')
    expect((await run('plan', folder, '--out', file)).code).toBe(1)
    const applied = await run('apply', file)
    expect(applied.code).toBe(1)
    expect(applied.stderr).toContain('2 sites not applied')
    expect(applied.stdout).toContain('(site 2): blocked\n')
  })

  it('applies a saved plan to the sites that have not changed, and says what moved', async () => {
    const file = join(folder, 'plan.json')
    await run('plan', folder, '--out', file)
    await writeFrame(`${name()}-page`, 'another markup, which the saved plan does not have')
    await shop.frame(`${name()}-page`, 'made meanwhile')
    const applied = await json('apply', file)
    expect(applied).toMatchObject({
      code: 1,
      state: 'done',
      results: [
        { site_id: 2, state: 'refused' },
        { site_id: 3, state: 'applied', steps: 4 },
      ],
    })
    expect(applied.results[0].message).toContain(
      `frame ${name()}-page: planned: created, now: replaced (the service, at `,
    )
    expect(applied.run).toBe(JSON.parse(await readFile(file, 'utf8')).plan)
    expect((await run('apply', file)).stderr).toContain('1 applied, 1 refused')
    await shop.removeFrame(`${name()}-page`)
    await run('plan', folder, '--out', file)
    const { run: id, ...again } = await json('apply', file)
    expect(again).toMatchObject({ code: 0, state: 'done', sites: { applied: 2 } })
    for (const target of [file, id.slice(0, 8)])
      expect((await run('apply', target)).stderr).toContain('applied already')
    await run('rollback', id)
    const taken = await run('apply', file)
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('Plan again.') })
    const saved = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...saved, plan: randomUUID(), service: 'other.test/' }))
    expect((await run('apply', file)).stderr).toContain('was made at other.test/')
  })

  it('refuses frames with errors in their markup, and with --strict those with warnings', async () => {
    const slug = `${name()}-page`
    const menu = '<!-- svc/menu {"location":"nowhere"} /-->'
    await writeFrame(slug, `${menu}\n<!-- svc/frmae /-->`)
    const plan = await run('plan', folder)
    expect(plan.code).toBe(1)
    expect(plan.stdout).toContain(`! frame ${slug}: Line 2, column 1: Unknown insert svc/frmae`)
    expect(plan.stdout).toContain(`warning: frame ${slug}: Line 1, column 1: No menu is assigned`)
    expect(plan.stderr).toContain('--allow-problems')
    await writeFrame(slug, menu)
    expect(await json('apply', folder, '--strict')).toMatchObject({ sites: { blocked: 2 } })
    await writeFrame(slug, '<!-- svc/frmae /-->')
    const applied = await json('apply', folder, '--allow-problems')
    expect(applied).toMatchObject({ code: 0, sites: { applied: 2 } })
    // The sites have the error already, and nothing would change.
    expect(await json('plan', folder)).toMatchObject({ code: 0, unchanged: 2, blocked: 0 })
  })

  it('names a site that cannot be read, and plans the others', async () => {
    const { terms } = docs.site.tables
    const repair = await damageTable(
      network.db,
      damageOf('a column that is missing'),
      terms,
      'name',
    )
    try {
      const { code, plans, sites, blocked } = await json('plan', folder)
      expect({ code, sites, blocked }).toEqual({ code: 1, sites: 2, blocked: 1 })
      expect(plans).toMatchObject([
        { sites: [2], problems: [] },
        { sites: [3], steps: [], problems: [{ kind: 'site', name: '3', reason: 'unreadable' }] },
      ])
    } finally {
      await repair()
    }
  })

  it('continues after kill -9, and writes each site once', { timeout: 240_000 }, async () => {
    await writeFile(
      join(folder, 'network.yaml'),
      `version: 1
name: ${name()}
sites: [{ match: { address: '*' }, bundles: [base] }]
bundles: { base: { frames: [frames/*.html] } }
`,
    )
    const { db, globals } = network
    const sitesIn = (state: string) =>
      db
        .sql({ s: `${globals.basePrefix}svc_run_sites` })
        .join({ r: `${globals.basePrefix}svc_runs` }, 'r.id', 's.run_id')
        .where({ 'r.name': name(), 's.state': state })
        .pluck('s.blog_id')
    const { child, ended } = await spawnCommand(['apply', folder], environment)
    await vi.waitUntil(async () => (await sitesIn('applied')).length > 0, {
      timeout: 60_000,
      interval: 5,
    })
    child.kill('SIGKILL')
    await ended
    const { code, stderr } = await json('apply', folder)
    const [, id = ''] = /^Continuing the run ([0-9a-f-]{36})\.$/m.exec(stderr) ?? []
    expect([code, id]).toEqual([0, expect.stringMatching(/./)])
    expect(await json('runs', id)).toMatchObject({ plan: { id, state: 'done' } })
    const applied = new Set(await sitesIn('applied'))
    expect(applied.size).toBeGreaterThan(4)
    const entries = await listEntries(db, globals, undefined, { requestId: id, limit: 100 })
    const written = entries.filter(({ kind, action }) => kind === 'frame' && action === 'created')
    expect(written.map(({ blog_id }) => blog_id).sort()).toEqual([...applied].sort())
  })

  it('stops after too many failures', async () => {
    const { db } = network
    await db.sql.raw(
      `CREATE TRIGGER refuse_two BEFORE INSERT ON ${shop.site.tables.options} FOR EACH ROW
        IF NEW.option_name LIKE 'svc_frame%' THEN SIGNAL SQLSTATE '45000'; END IF`,
    )
    try {
      const stopped = await json('apply', folder, '--max-failures', '0', '--canary', '2', '--yes')
      expect(stopped).toMatchObject({ code: 1, sites: { failed: 1, planned: 1 } })
      const canary = await json('apply', folder, '--canary', '1', '--yes')
      expect(canary).toMatchObject({ code: 1, sites: { failed: 1, planned: 1 } })
      expect(canary.stderr).toContain('Stopped after a failure of the canary.')
    } finally {
      await db.sql.raw('DROP TRIGGER refuse_two')
    }
    expect(await json('apply', folder)).toMatchObject({ code: 0, sites: { applied: 2 } })
  })
})

describe('drift', () => {
  it('shows what was changed since, and by whom', async () => {
    await json('apply', folder)
    expect(await json('drift', name())).toMatchObject({ sites: 2, drifted: 0 })
    // Another program.
    const option = `svc_frame_${await docs.idOf(`${name()}-page`)}`
    const record = (await docs.option(option)) ?? ''
    await docs.setOption(option, record.replace('<p>page</p>', '<p>PAGE</p>'))
    // A command.
    const pushed = join(base, `push-${name()}`)
    await mkdir(pushed)
    await writeFile(join(pushed, `${name()}-page.html`), 'pushed')
    expect(await run('frames', 'push', pushed, '--site', '2', '--force')).toMatchObject({
      code: 0,
    })
    const { results } = await json('drift', name())
    expect(results).toMatchObject([
      {
        site_id: 2,
        drift: [
          { kind: 'frame', name: `${name()}-page`, by: { label: expect.stringMatching(/^cli /) } },
        ],
      },
      { site_id: 3, drift: [{ kind: 'frame', name: `${name()}-page`, by: null }] },
    ])
    const { code, stdout } = await run('drift', name(), '--exit-code')
    expect(code).toBe(2)
    expect(stdout).toContain(`frame ${name()}-page was changed by another program`)
    expect(stdout).toContain(`frame ${name()}-page was changed by a command`)
    const list = await run('drift', name(), '--format', 'csv', '--fields', 'site_id,drift')
    expect(list.stdout).toBe('site_id,drift\n2,was changed\n3,was changed\n')
    expect((await run('drift', name(), '--format', 'ids')).stdout).toBe('2\n3\n')
  })

  it('names a description that does not fit together any more', async () => {
    await writeFile(
      join(folder, 'network.yaml'),
      `version: 1
name: ${name()}
sites:
  - { match: { id: 3 }, bundles: [one] }
  - { match: { option: { svc_label_clash: ${name()} } }, bundles: [other] }
bundles:
  one: { frames: [frames/*.html] }
  other: { frames: [frames/*.html] }
`,
    )
    await json('apply', folder)
    await docs.setOption('svc_label_clash', name())
    const { code, failures } = await json('drift')
    expect(code).toBe(1)
    expect(failures).toMatchObject([{ description: name() }])
    await docs.setOption('svc_label_clash', '')
    expect(await json('drift', name())).toMatchObject({ code: 0, sites: 1, failures: [] })
  })
})
