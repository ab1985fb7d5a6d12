import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { examineNetwork } from '../../src/doctor/examine.ts'
import { recordReportedEdits } from '../../src/edits/record-reported-edits.ts'
import { UnreadableSites } from '../../src/edits/unreadable-sites.ts'
import { ChangePoller } from '../../src/executor/change-poller.ts'
import { REGISTRY_OPTION } from '../../src/frames/option-names.ts'
import { createLog } from '../../src/log.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { SiteHosts } from '../../src/wordpress/network/site-hosts.ts'
import { readSiteNames } from '../../src/wordpress/network/site-names.ts'
import { writeOptions } from '../../src/wordpress/options/write-options.ts'
import { workTable } from '../../src/work/work-tables.ts'
import { createDoctorFixture, type DoctorFixture } from '../doctor/doctor-fixture.ts'
import { eventually } from '../support/eventually.ts'

/** The site that is damaged, and one that is edited meanwhile. */
const [DAMAGED, EDITED] = [4, 2]
/** A page of the edited site. */
const TEAM = 10

let fixture: DoctorFixture
let damaged: Site
beforeAll(async () => {
  fixture = await createDoctorFixture()
  damaged = await fixture.network.site(DAMAGED)
  const { db } = fixture.network
  // Only sites with frames are compared.
  for (const site of [damaged, fixture.site])
    await db.write({}, (tx) =>
      writeOptions(tx, site, [{ name: REGISTRY_OPTION, value: 'a:0:{}' }], 'off'),
    )
  await reportEverything()
})
afterAll(() => fixture.stop())

const raw = (statement: string, ...names: readonly string[]) =>
  fixture.network.db.sql.raw(statement, names)

let unreadable: UnreadableSites
beforeEach(() => {
  unreadable = new UnreadableSites(createLog('silent'))
})

const services = () => ({
  db: fixture.network.db,
  globals: fixture.network.globals,
  log: createLog('silent'),
  unreadable: unreadable ?? new UnreadableSites(createLog('silent')),
  wake: () => {},
})

/** What the feed asks for when it cannot name rows. */
const reportEverything = () =>
  recordReportedEdits(services(), { everything: true, sites: new Map() })

let edits = 0
/** Edits a page of the other site, and forgets what was recorded of it. */
async function edit(): Promise<void> {
  const { db, globals } = fixture.network
  const { tables } = await fixture.network.site(EDITED)
  await db.sql(workTable(globals)).delete()
  edits += 1
  await db
    .sql(tables.posts)
    .where({ ID: TEAM })
    .update({ post_title: `Team ${edits}` })
}

async function expectRecorded(): Promise<void> {
  const { db, globals } = fixture.network
  const sites = await db.sql(workTable(globals)).distinct().pluck('blog_id')
  expect(sites).toContain(EDITED)
}

async function pollUntil(condition: () => Promise<void>): Promise<void> {
  const poller = new ChangePoller({ ...services(), intervalMs: 50 })
  try {
    await eventually(condition)
  } finally {
    await poller.stop()
  }
}

/** Damages the site, and repairs it. */
type Damage = readonly [
  name: string,
  damage: () => Promise<unknown>,
  repair: () => Promise<unknown>,
]
const away = () => `${damaged.tables.posts}_away`

const DAMAGES: readonly Damage[] = [
  [
    'a table that is missing',
    () => raw('RENAME TABLE ?? TO ??', damaged.tables.posts, away()),
    () => raw('RENAME TABLE ?? TO ??', away(), damaged.tables.posts),
  ],
  [
    'a column that is missing',
    () => raw('ALTER TABLE ?? CHANGE COLUMN post_type lost varchar(20)', damaged.tables.posts),
    () =>
      raw(
        "ALTER TABLE ?? CHANGE COLUMN lost post_type varchar(20) NOT NULL DEFAULT 'post'",
        damaged.tables.posts,
      ),
  ],
  [
    'a table that the server cannot read',
    async () => {
      // A view of a table that was dropped gives an error on each read, as a crashed table does.
      await raw('RENAME TABLE ?? TO ??', damaged.tables.posts, away())
      await raw('CREATE TABLE ?? LIKE ??', `${away()}_base`, away())
      await raw('CREATE VIEW ?? AS SELECT * FROM ??', damaged.tables.posts, `${away()}_base`)
      await raw('DROP TABLE ??', `${away()}_base`)
    },
    async () => {
      await raw('DROP VIEW ??', damaged.tables.posts)
      await raw('RENAME TABLE ?? TO ??', away(), damaged.tables.posts)
    },
  ],
]

describe.each(DAMAGES)('%s of one site', (_, damage, repair) => {
  beforeEach(async () => {
    await damage()
    return repair
  })

  it('does not keep the poll from recording the edits of the others', async () => {
    await edit()
    await pollUntil(expectRecorded)
    expect(unreadable.count).toBe(1)
  })

  it('does not keep the feed from recording the edits of the others', async () => {
    await edit()
    await reportEverything()
    await expectRecorded()
    expect(unreadable.count).toBe(1)
  })

  it('is reported by the doctor, which checks the other sites', async () => {
    const found = await examineNetwork(fixture.services)
    const ofSite = found.filter(({ site, severity }) => site === DAMAGED && severity === 'error')
    expect(ofSite.map(({ check }) => check)).toEqual([
      expect.stringMatching(/^(?:table_missing|check_failed)$/),
    ])
    expect(found.filter(({ check }) => check === 'check_failed').length).toBeLessThanOrEqual(1)
  })
})

describe('a damaged table of options', () => {
  beforeEach(async () => {
    const { options } = damaged.tables
    await raw('ALTER TABLE ?? CHANGE COLUMN option_value lost longtext', options)
    return () => raw('ALTER TABLE ?? CHANGE COLUMN lost option_value longtext NOT NULL', options)
  })

  it('does not keep the hosts and names of the other sites from being read', async () => {
    const { db, globals } = fixture.network
    const hosts = new SiteHosts(db, globals)
    expect(
      await hosts.findAll([{ host: 'net.test', segments: ['shop'], slash: true, query: '' }]),
    ).toEqual([EDITED])
    const names = await readSiteNames(db, [damaged, await fixture.network.site(EDITED)])
    expect([...names.keys()]).toContain(EDITED)
  })
})

describe('a site that another program has locked', () => {
  it('delays the edits of the others by no more than its part of one round, and is compared when it is unlocked', async () => {
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
})
