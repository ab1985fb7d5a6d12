import { afterEach, describe, expect, it } from 'vitest'
import { describeEffects } from '../../../src/cli/content-write.ts'
import { commandsOn, runCommand } from '../../support/cli.ts'
import { useNetwork } from '../../support/network.ts'
import { buildElsewhere, putWork } from '../../support/work-rows.ts'

const network = await useNetwork()
const { environment } = commandsOn(network)
afterEach(async () => {
  for (const blogId of [2, 3, 99]) await putWork(network, blogId, [])
})

const work = (...args: string[]) => runCommand(['work', ...args], environment)

const FAILED = { name: '8', tries: 3, since: -9000, error: 'The page has no\naddress.' }

describe('work', () => {
  it('reports that nothing is pending', async () => {
    const nothing = { code: 0, stdout: 'Nothing is pending.\n', stderr: '' }
    for (const args of [[], ['--network'], ['--site', '2'], ['--wait']])
      expect(await work(...args)).toEqual(nothing)
    expect((await work('--json')).stdout).toBe('[]\n')
    expect(JSON.parse((await work('--json', '--site', '2')).stdout)).toMatchObject({
      site_id: 2,
      success: true,
      pending: { pages: 0, frames: 0, purges: 0 },
      oldest: null,
    })
  })

  it('prints a table of the sites with work, and why something fails', async () => {
    await buildElsewhere(network, 2)
    await putWork(network, 2, [
      { name: '7', due: -1 },
      FAILED,
      { kind: 'menus', tries: 1, due: 5, error: '\u001b[31mred' },
    ])
    await putWork(network, 3, [{ name: '1' }])
    await putWork(network, 99, [{ name: '1', since: -5 }])
    const { code, stdout, stderr } = await work()
    expect([code, stderr]).toEqual([0, ''])
    const [heading, ...lines] = stdout.trimEnd().split('\n')
    expect(heading).toMatch(/^site_id +address +pages +frames +purges +running +failing +since$/)
    expect(lines).toEqual([
      expect.stringMatching(/^2 +net\.test\/shop +2 +1 +0 +1 +2 +\d{4}-/),
      expect.stringMatching(/^3 +net\.test\/docs +1 +0 +0 +0 +0 +\d{4}-/),
      expect.stringMatching(/^99 +\(not in the list of sites\) +1 +0 +0 +0 +0 +\d{4}-/),
      expect.stringMatching(
        /^net\.test\/shop: page 8 failed 3 times since \d.*: The page has no address\. Next attempt in \d+ s\.$/,
      ),
      expect.stringMatching(
        /^net\.test\/shop: all frames that show menus failed 1 time since .*: \^\[\[31mred/,
      ),
      '4 pages and 1 frame are pending, 1 running, 2 failing, on 3 sites.',
    ])
    const { stdout: one } = await work('--site', 'net.test/docs')
    expect(one).toMatch(/\n3 +net\.test\/docs.*\n1 page is pending\.\n$/)
  })

  it('rejects wrong usage, and a site that does not exist', async () => {
    for (const args of [['--timeout', '5s'], ['--wait', '--timeout', '5'], ['x']])
      expect((await work(...args)).code).toBe(2)
    expect(await work('--site', '77')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no site with the id 77'),
    })
  })
})

describe('work --wait', () => {
  it('waits until everything is built', async () => {
    await putWork(network, 2, [{ name: '1' }])
    const waiting = work('--wait', '--site', '2')
    const first = await Promise.race([waiting, putWork(network, 3, [{ name: '1' }])])
    expect(first).toBeUndefined()
    await putWork(network, 2, [])
    expect(await waiting).toEqual({ code: 0, stdout: 'Nothing is pending.\n', stderr: '' })
  })

  it('fails if only failing work is left, and says what fails', async () => {
    await putWork(network, 2, [FAILED])
    const { code, stdout, stderr } = await work('--wait')
    expect(code).toBe(1)
    expect(stdout).toContain('page 8 failed 3 times')
    expect(stderr).toMatch(/^1 page is pending, 1 failing\. /)
  })

  it('fails after the timeout, and says that nothing is running', async () => {
    await putWork(network, 2, [{ name: '1' }, FAILED])
    const { code, stdout, stderr } = await work('--wait', '--timeout', '1s', '--json')
    expect([code, JSON.parse(stdout)[0].state]).toEqual([1, 'pending'])
    expect(stderr).toMatch(
      /^The time is over\. 2 pages are pending, 1 failing\. Nothing is running/,
    )
  })
})

it('what a write has done says what is pending', () => {
  const done = (pages: number, frames: number) =>
    describeEffects({ pending: { pages, frames } }).done
  expect(done(1850, 0)).toEqual(['1,850 pages are pending: wp-frames work --wait'])
  expect(done(0, 1)).toEqual(['1 frame is pending: wp-frames work --wait'])
  expect(describeEffects({}).done).toEqual([])
})
