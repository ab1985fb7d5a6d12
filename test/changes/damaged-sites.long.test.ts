import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { ChangePoller } from '../../src/changes/change-poller.ts'
import { recordReportedEdits } from '../../src/changes/record-reported-edits.ts'
import { UnreadableSites } from '../../src/changes/unreadable-sites.ts'
import { REGISTRY_OPTION } from '../../src/content/frames/option-names.ts'
import { createLog } from '../../src/host/log.ts'
import { examineNetwork } from '../../src/network/doctor/examine.ts'
import { createRun, findRun, listRunSites } from '../../src/network/plan/runs-table.ts'
import { SiteHosts } from '../../src/wordpress/hosts/site-hosts.ts'
import { readSiteNames } from '../../src/wordpress/network/site-names.ts'
import { writeOptions } from '../../src/wordpress/options/write-options.ts'
import { useDoctorFixture } from '../network/doctor/doctor-fixture.ts'
import { DAMAGES, damageTable } from '../support/damages.ts'
import { eventually } from '../support/eventually.ts'
import { parseDescription } from '../support/parse-description.ts'
import { startRunWorker } from '../support/run-worker.ts'
import { startTasks } from '../support/tasks.ts'
import { forgetWork, pendingWork } from '../support/work-rows.ts'

/** The site that is damaged, and one that is edited meanwhile. */
const [DAMAGED, EDITED] = [4, 2]
/** A page of the edited site. */
const TEAM = 10

/** The slow table delays each of its reads by a limit. */
const timings = {
  db: { replyTimeoutMs: 3000 },
  sites: { manySeconds: 0.5, siteSeconds: 1, checksumSeconds: 0.5 },
}
const fixture = await useDoctorFixture({ timings })
const damaged = await fixture.network.site(DAMAGED)
// Only sites with frames are compared.
for (const site of [damaged, fixture.site])
  await fixture.network.db.write({}, (tx) =>
    writeOptions(tx, site, [{ name: REGISTRY_OPTION, value: 'a:0:{}' }], 'off'),
  )

let unreadable = new UnreadableSites(createLog('silent'))
beforeEach(() => {
  unreadable = new UnreadableSites(createLog('silent'))
})

const services = () => ({
  db: fixture.network.db,
  globals: fixture.network.globals,
  log: createLog('silent'),
  unreadable,
  wake: () => {},
})

/** What the feed asks for when it cannot name rows. */
const reportEverything = () =>
  recordReportedEdits(services(), { everything: true, sites: new Map() })
await reportEverything()

let edits = 0
/** Edits a page of the other site, and forgets what was recorded of it. */
async function edit(): Promise<void> {
  const { db } = fixture.network
  const { tables } = await fixture.network.site(EDITED)
  await forgetWork(fixture.network)
  edits += 1
  await db
    .sql(tables.posts)
    .where({ ID: TEAM })
    .update({ post_title: `Team ${edits}` })
}

async function expectRecorded(): Promise<void> {
  const sites = (await pendingWork(fixture.network)).map(({ blog_id }) => blog_id)
  expect(sites).toContain(EDITED)
}

async function pollUntil(condition: () => Promise<void>): Promise<void> {
  const options = services()
  const tasks = startTasks(options, new ChangePoller({ ...options, intervalMs: 50 }))
  try {
    await eventually(condition)
  } finally {
    await tasks.stop()
  }
}

/** Plans a frame on both sites, as a request does. @returns the states of the sites */
async function planOnBoth() {
  const options = { ...services(), maxSiteBytes: undefined }
  const { db, globals } = options
  const id = randomUUID()
  const sites = [EDITED, DAMAGED].map((blogId) => ({ blogId, state: 'waiting' as const }))
  await db.write({}, (tx) =>
    createRun(
      tx,
      globals,
      {
        id,
        state: 'planning',
        author: { userId: 1, tokenId: null, label: 'cli', requestId: id },
        description: parseDescription({
          version: 1,
          name: 'damaged',
          sites: [{ match: { id: [EDITED, DAMAGED] }, bundles: ['base'] }],
          bundles: { base: { frames: [{ slug: 'planned', html: '<p></p>' }] } },
        }),
      },
      sites,
    ),
  )
  const worker = startRunWorker(options, options)
  try {
    await eventually(async () => expect((await findRun(db, globals, id))?.state).toBe('planned'))
    const sites = await listRunSites(db, globals, id)
    return new Map(sites.map(({ blog_id, state }) => [blog_id, state]))
  } finally {
    await worker.stop()
  }
}

describe.each(DAMAGES)('$name of one site', (damage) => {
  beforeEach(() => damageTable(fixture.network.db, damage, damaged.tables.posts, 'post_type'))

  const unreadableSites = damage.isReadable ? 0 : 1

  it('does not keep the poll from recording the edits of the others', async () => {
    await edit()
    await pollUntil(async () => {
      await expectRecorded()
      expect(unreadable.count).toBe(unreadableSites)
    })
  })

  it('does not keep the feed from recording the edits of the others', async () => {
    await edit()
    await reportEverything()
    await expectRecorded()
    expect(unreadable.count).toBe(unreadableSites)
  })

  it('is reported by the doctor, which checks the other sites', async () => {
    const found = await examineNetwork(fixture.services, { sitesAtOnce: 4 })
    const ofSite = found.filter(({ site, severity }) => site === DAMAGED && severity === 'error')
    const checks = ofSite.map(({ check }) => check)
    expect(checks).not.toEqual([])
    for (const check of checks)
      expect(check).toMatch(
        damage.isReadable
          ? /^engine_not_transactional$/
          : /^(?:table_missing|column_missing|check_failed|engine_not_transactional)$/,
      )
    const failed = found.filter(({ check }) => check === 'check_failed')
    expect(new Set(failed.map(({ site }) => site)).size).toBeLessThanOrEqual(1)
  })
})

describe.each(DAMAGES)('$name of the options of one site', (damage) => {
  beforeEach(() => damageTable(fixture.network.db, damage, damaged.tables.options, 'option_value'))

  it('does not keep the hosts and names of the other sites from being read', async () => {
    const { db, globals } = fixture.network
    const hosts = new SiteHosts(db, globals)
    expect(
      await hosts.findAll([{ host: 'net.test', segments: ['shop'], slash: true, query: '' }]),
    ).toEqual([EDITED])
    const names = await readSiteNames(db, [damaged, await fixture.network.site(EDITED)])
    expect([...names.keys()]).toContain(EDITED)
  })

  it('does not keep runs from planning the other sites', async () => {
    const states = await planOnBoth()
    expect(states.get(EDITED)).toBe('planned')
    // A site without a table of options counts as missing.
    expect(damage.isReadable ? ['planned'] : ['failed', 'skipped']).toContain(states.get(DAMAGED))
  })
})

it('a site that another program has locked delays the edits of the others by no more than its part of one round, and is compared when it is unlocked', async () => {
  const { db } = fixture.network
  await edit()
  const { posts } = damaged.tables
  const connection = await db.sql.client.acquireConnection()
  const send = (statement: string) => connection.promise().query(statement)
  try {
    await send(`LOCK TABLES ${posts} WRITE`)
    await pollUntil(async () => {
      await expectRecorded()
      expect(unreadable.count).toBe(1)
      await send('UNLOCK TABLES')
    })
    await pollUntil(async () => expect(unreadable.count).toBe(0))
  } finally {
    await send('UNLOCK TABLES')
    await db.sql.client.releaseConnection(connection)
  }
})
