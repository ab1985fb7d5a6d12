import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encodePhp } from '#php-serialized'
import type { Database } from '../../../src/db/database.ts'
import { increaseNetworkVersion } from '../../../src/wordpress/hosts/network-version.ts'
import { findSiteAt, SiteHosts } from '../../../src/wordpress/hosts/site-hosts.ts'
import { parseAddress } from '../../../src/wordpress/permalinks/address.ts'
import { eventually } from '../../support/eventually.ts'
import { addSites, hostOf } from '../../support/many-sites.ts'
import { setOption, useNetwork } from '../../support/network.ts'
import { beforeStatements, statementsOf } from '../../support/statements.ts'
import { FAST } from '../../support/timings.ts'

const SITES = 300

const network = await useNetwork()
const added = await addSites(network, SITES)
afterAll(() => added.remove())

/** The time of `performance.now()`, in milliseconds. */
let now = 0
beforeEach(() => {
  now = 1_000_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})
const afterCheckTime = () => {
  now += FAST.hosts.checkedMs + 1
}

const open = (db: Database = network.db) => new SiteHosts(db, network.globals)

const ask = async (hosts: SiteHosts, host: string, path = '/about/') => {
  const address = parseAddress(host, path)
  if (!address) throw new Error(`invalid host ${host}`)
  return (await findSiteAt(network.db, network.globals, hosts, address))?.blogId
}

/** Hosts that were read, and that nothing has changed since. */
async function openRead(): Promise<SiteHosts> {
  // The first read may record claims, which increases the version.
  await ask(open(), 'unknown.test')
  const hosts = open()
  await ask(hosts, 'unknown.test')
  return hosts
}

const increaseVersion = () =>
  network.db.write({}, (tx) => increaseNetworkVersion(tx, network.globals))

/** Sets the domain of a site's French pages. */
const claim = (blogId: number, domain: string) => {
  const polylang = new Map<string, number | Map<string, string>>([
    ['force_lang', 3],
    ['domains', new Map([['fr', domain]])],
  ])
  return setOption(network, blogId, 'polylang', encodePhp(polylang))
}

const statementsAsking = (hosts: SiteHosts, ...names: string[]) =>
  statementsOf(network.db, () => Promise.all(names.map((name) => ask(hosts, name))))

describe('the hosts of 300 sites', () => {
  it('are read with some statements, which concurrent requests share', async () => {
    await openRead()
    const hosts = open()
    const names = Array.from({ length: 10 }, (_, at) => `unknown${at}.test`)
    // For each name one that asks `blogs`; the version, the claims, two that list the sites, and two for 200 sites each.
    expect(await statementsAsking(hosts, ...names)).toHaveLength(10 + 2 + 2 + 2)
  })

  it('are all found', async () => {
    const hosts = await openRead()
    const [first = 0] = added.blogIds
    const last = added.blogIds.at(-1) ?? 0
    expect(await ask(hosts, hostOf(first))).toBe(first)
    expect(await ask(hosts, hostOf(last))).toBe(last)
    await setOption(network, last, 'home', 'http://mapped.test')
    expect(await ask(open(), 'mapped.test')).toBe(last)
    expect(await ask(open(), hostOf(last))).toBe(last)
    await setOption(network, last, 'home', `http://${hostOf(last)}`)
  })
})

describe('an unknown host', () => {
  it('costs no statement', async () => {
    const hosts = await openRead()
    const names = Array.from({ length: 100 }, (_, at) => `unknown${at}.test`)
    expect(await statementsAsking(hosts, ...names)).toEqual([])
    expect(await Promise.all(names.map((name) => ask(hosts, name)))).not.toContainEqual(
      expect.any(Number),
    )
  })

  it('costs one statement after half a second, for all requests together', async () => {
    const hosts = await openRead()
    afterCheckTime()
    expect(await statementsAsking(hosts, 'a.test', 'b.test', 'c.test')).toHaveLength(1)
    expect(await statementsAsking(hosts, 'a.test', 'd.test')).toEqual([])
  })

  it('is the site of a new domain as soon as the version of the network was increased', async () => {
    const hosts = await openRead()
    await claim(4, 'http://laden.fr')
    afterCheckTime()
    expect(await ask(hosts, 'laden.fr')).toBeUndefined()
    await increaseVersion()
    expect(await ask(hosts, 'laden.fr')).toBeUndefined()
    afterCheckTime()
    expect(await ask(hosts, 'laden.fr')).toBe(4)
    await network.db
      .sql((await network.site(4)).tables.options)
      .where({ option_name: 'polylang' })
      .delete()
  })

  it('is a new site at once', async () => {
    const hosts = await openRead()
    const { db, globals } = network
    const [blogId = 0] = added.blogIds
    const move = (domain: string) =>
      db.sql(globals.blogs).where({ blog_id: blogId }).update({ domain })
    await move('new.test')
    afterCheckTime()
    expect(await ask(hosts, 'new.test')).toBe(blogId)
    expect(await ask(hosts, 'www.new.test')).toBe(blogId)
    await move(hostOf(blogId))
  })
})

describe('cached hosts', () => {
  it('that are in use are read again before they end, and no request waits for it', async () => {
    const hosts = await openRead()
    await claim(4, 'http://laden.eu')
    now += 45_000
    expect(await ask(hosts, 'laden.eu')).toBeUndefined()
    await eventually(async () => expect(await ask(hosts, 'laden.eu')).toBe(4))
    // Their time begins again: without that read they would have ended.
    now += 39_000
    expect(await statementsAsking(hosts, 'laden.eu')).not.toContainEqual(
      expect.stringContaining('UNION ALL'),
    )
  })

  it('can be read before a request needs them', async () => {
    const hosts = open()
    await hosts.prepare()
    expect(await statementsAsking(hosts, 'unknown.test')).toEqual([])
  })
})

describe('the version of the network', () => {
  it('is increased when a site claims a host for the first time', async () => {
    const other = await openRead()
    await claim(4, 'http://laden.de')
    expect(await ask(open(), 'laden.de')).toBe(4)
    afterCheckTime()
    expect(await ask(other, 'laden.de')).toBe(4)
  })

  it('has no effect on an edit that did not increase it for a minute, even if the system clock was set back', async () => {
    const hosts = await openRead()
    await claim(4, 'http://laden.it')
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
    now += 59_000
    expect(await ask(hosts, 'laden.it')).toBeUndefined()
    now += 2000
    expect(await ask(hosts, 'laden.it')).toBe(4)
  })

  it('is checked only for hosts that are unknown', async () => {
    const hosts = await openRead()
    await increaseVersion()
    afterCheckTime()
    // The site, and whether its tables exist.
    expect(await statementsAsking(hosts, hostOf(added.blogIds[5] ?? 0))).toHaveLength(2)
  })
})

/** The database, with something that happens between the list of the sites and the read of their options. */
function afterListing(happen: () => Promise<unknown>): Database {
  let happened: Promise<unknown> | undefined
  const sender = beforeStatements(network.db.sender, async ({ text }) => {
    if (!text?.includes('UNION ALL')) return
    happened ??= happen()
    await happened
  })
  return { ...network.db, sender }
}

describe('a site that cannot be read', () => {
  const rename = (from: string, to: string) =>
    network.db.sql.raw('RENAME TABLE ?? TO ??', [from, to])

  it('does not keep the others from being found', async () => {
    const { options } = (await network.site(added.blogIds[7] ?? 0)).tables
    await claim(4, 'http://laden.at')
    expect(await ask(open(afterListing(() => rename(options, 'away'))), 'laden.at')).toBe(4)
    await rename('away', options)
  })

  it('does not make an error last', async () => {
    const claims = `${network.globals.basePrefix}svc_hosts`
    const hosts = open()
    await rename(claims, 'away')
    await expect(ask(hosts, 'laden.at')).rejects.toMatchObject({ code: 'ER_NO_SUCH_TABLE' })
    await rename('away', claims)
    expect(await ask(hosts, 'laden.at')).toBe(4)
  })
})
