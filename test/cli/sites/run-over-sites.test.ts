import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { beforeEach, describe, expect, it } from 'vitest'
import { inProcessClient } from '../../../src/cli/in-process-client.ts'
import { findSites } from '../../../src/cli/sites/find-sites.ts'
import { getSite } from '../../../src/cli/sites/get-site.ts'
import { runOnSites, type SiteWork } from '../../../src/cli/sites/run-over-sites.ts'
import {
  type AddressedSite,
  addSiteOptions,
  type SiteOptions,
} from '../../../src/cli/sites/site-options.ts'
import { parseConfig } from '../../../src/host/config/config.ts'
import { AppError } from '../../../src/host/errors.ts'
import { openServices } from '../../../src/services.ts'
import { captureOutput, commandsOn } from '../../support/cli.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { batchSetting } from '../../support/open-database.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const network = await useNetwork()
const services = await use(
  await openServices(parseConfig({ ...batchSetting, ...commandsOn(network).environment }), {
    timings: FAST,
  }),
)

/** Parses the options of a command line; throws for wrong usage. */
function parse(...args: string[]): SiteOptions {
  const command = addSiteOptions(new Command().exitOverride(), 'x').action(() => {})
  return command
    .configureOutput({ writeErr: () => {} })
    .parse(['node', 'x', ...args])
    .opts()
}

/** One site as commands on the database find it, several as those do that call endpoints. */
async function findRequested({ site, ...options }: SiteOptions): Promise<readonly AddressedSite[]> {
  return site ? [await getSite(services, site)] : findSites(inProcessClient(services), options)
}

/** Returns the output and the error of a run. */
async function run(args: readonly string[], work: SiteWork, using = services) {
  const { result, stdout } = await captureOutput(() =>
    findRequested(parse(...args))
      .then((sites) => runOnSites(using, sites, parse(...args), work))
      .catch((error: Error) => error),
  )
  return { stdout, error: result }
}

/** Of all states but deleted. */
const ALL = ['--network', '--include', 'archived,spam']

const worked: number[] = []
beforeEach(() => {
  worked.length = 0
})
const note: SiteWork = async (site) => {
  worked.push(site.blogId)
  return { outcome: `seen ${site.path}` }
}

describe('the choice of sites', () => {
  it.each([
    ['2', 2],
    ['net.test/shop', 2],
    ['net.test/shop/', 2],
    ['http://net.test/SHOP/', 2],
    ['NET.test', 1],
    ['brand.test', 4],
    ['5', 5],
  ])('--site %s is site %i', async (text, blogId) => {
    await run(['--site', text], note)
    expect(worked).toEqual([blogId])
  })

  it.each([
    ['8', 'There is no site with the id 8.'],
    ['net.test/nothing', 'There is no site at net.test/nothing.'],
    ['6', 'Site 6 (net.test/deleted) is deleted'],
  ])('--site %s is rejected', async (text, message) => {
    const { error } = await run(['--site', text], note)
    expect(error).toMatchObject({ message: expect.stringContaining(message), exitCode: 1 })
    expect(worked).toEqual([])
  })

  it.each([
    [[], [1, 2, 3, 4]],
    [
      ['--include', 'archived'],
      [1, 2, 3, 4, 5],
    ],
    [
      ['--include', 'spam, archived'],
      [1, 2, 3, 4, 5, 7],
    ],
  ])('--network means live sites, and those in the states of %j', async (args, sites) => {
    await run(['--network', ...args], note)
    expect(worked).toEqual(sites)
  })

  it('names the states that may be included', () => {
    expect(() => parse('--network', '--include', 'deleted')).toThrow(/Use archived, spam/)
    expect(() => parse('--site', '2', '--include', 'spam')).toThrow(/--include needs --network/)
  })

  it.each([[[]], [['--site', '2', '--network']], [['--site', '']], [['--site', 'a b']]])(
    'rejects wrong usage: %j',
    (args) => {
      expect(() => parse(...args)).toThrow(/error: /)
    },
  )
})

describe('work on sites', () => {
  it('prints details by site, then a table', async () => {
    const { stdout } = await run(ALL, async (site) =>
      site.blogId === 2 ? { outcome: 'two', detail: 'a\nb\n' } : { outcome: 'nothing' },
    )
    expect(stdout).toBe(
      [
        'net.test/shop (site 2)',
        'a',
        'b',
        '',
        'site  address            outcome',
        '1     net.test           nothing',
        '2     net.test/shop      two',
        '3     net.test/docs      nothing',
        '4     brand.test         nothing',
        '5     net.test/archived  nothing',
        '7     net.test/spam      nothing',
        '',
      ].join('\n'),
    )
  })

  it('prints the detail and the outcome of a single site', async () => {
    const detailed: SiteWork = async () => ({ outcome: 'two', detail: 'a\nb\n' })
    expect((await run(['--site', '2'], detailed)).stdout).toBe('a\nb\ntwo\n')
    expect((await run(['--site', '2'], note)).stdout).toBe('seen /shop/\n')
  })

  it('prints an object for one site and a list for several as JSON', async () => {
    const work: SiteWork = async (site) => ({
      outcome: 'ok',
      data: { n: site.blogId },
    })
    const shop = { site_id: 2, address: 'net.test/shop', state: 'done', outcome: 'ok', n: 2 }
    expect(JSON.parse((await run(['--site', '2', '--json'], work)).stdout)).toEqual(shop)
    const all = JSON.parse((await run([...ALL, '--json'], work)).stdout)
    expect(all).toHaveLength(6)
    expect(all[1]).toEqual(shop)
  })

  it.each([
    ['10', 4],
    ['3', 3],
    ['1', 1],
  ])(
    'runs on several sites at the same time: with DB_POOL_SIZE=%s on %i',
    async (poolSize, most) => {
      const config = parseConfig({
        ...batchSetting,
        DATABASE_URL: network.url,
        DB_POOL_SIZE: poolSize,
      })
      let running = 0
      let atOnce = 0
      const work: SiteWork = async (site) => {
        running += 1
        atOnce = Math.max(atOnce, running)
        await eventually(() => expect(atOnce).toBeGreaterThanOrEqual(most))
        // Sites end in another order than they begin.
        await sleep(site.blogId === 1 ? 50 : 0)
        running -= 1
        return { outcome: `seen ${site.path}` }
      }
      const { stdout } = await run([...ALL, '--json'], work, { ...services, config })
      const sites: { site_id: number; outcome: string }[] = JSON.parse(stdout)
      expect(sites.map(({ site_id }) => site_id)).toEqual([1, 2, 3, 4, 5, 7])
      expect(sites[1]?.outcome).toBe('seen /shop/')
      expect(atOnce).toBe(most)
    },
  )

  it('continues after a site that failed, and fails at the end', async () => {
    const { stdout, error } = await run([...ALL, '--json'], async (site) => {
      if (site.blogId === 2) throw new AppError('slug_taken', 'It is taken.', { id: 'x' })
      if (site.blogId === 3) throw new Error('unexpected')
      if (site.blogId === 4) return { state: 'failed', outcome: 'half of it' }
      return note(site, { signal: new AbortController().signal, progress: unseen })
    })
    expect(worked).toEqual([1, 5, 7])
    expect(JSON.parse(stdout)).toMatchObject([
      { site_id: 1, state: 'done' },
      { site_id: 2, state: 'failed', outcome: 'It is taken.', error: 'slug_taken', id: 'x' },
      { site_id: 3, state: 'failed', outcome: 'Error: unexpected', error: null },
      { site_id: 4, state: 'failed', outcome: 'half of it' },
      { site_id: 5, state: 'done' },
      { site_id: 7, state: 'done' },
    ])
    expect(error).toMatchObject({ message: '3 of 6 sites failed.', exitCode: 1 })
  })

  it('stops on Ctrl-C after the current step, and reports the progress', async () => {
    const listeners = process.listenerCount('SIGINT')
    const { stdout, error } = await run(ALL, async (site, { signal, progress }) => {
      worked.push(site.blogId)
      if (site.blogId !== 2) return { outcome: 'all of it' }
      process.emit('SIGINT')
      await eventually(() => expect(signal.aborted).toBe(true))
      progress.expect(2)
      progress.tick()
      return { state: 'stopped', outcome: '1 of 2' }
    })
    expect(worked).toEqual([1, 2])
    expect(stdout).toMatch(/^1 .* all of it\n2 .* 1 of 2\n3 .* not begun\n(?:.* not begun\n){3}$/m)
    expect(error).toMatchObject({
      message: 'Stopped: 1 of 6 sites are done, 0 failed.',
      exitCode: 130,
    })
    expect(process.listenerCount('SIGINT')).toBe(listeners)
  })
})

const unseen = { expect: () => {}, tick: () => {} }
