import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { readRegistry } from '../../src/content/frames/registry.ts'
import { issueTokenFor } from '../support/api.ts'
import { runCommand } from '../support/cli.ts'
import { useNetwork } from '../support/network.ts'
import { type ServeProcesses, startServeProcesses } from '../support/serve-processes.ts'
import { use } from '../support/use.ts'
import { Balancer } from '../torture/support/balancer.ts'

const network = await useNetwork()
const balancer = await use(Balancer.start())
const token = await issueTokenFor(network, 'alice')
const TABLE_PREFIX = network.globals.basePrefix
let service: ServeProcesses | undefined
afterAll(() => service?.stop())

/** An account with the rights that `wp-frames grants` prints, and the address for it. */
async function createAccount() {
  const user = `rotated_${randomBytes(4).toString('hex')}`
  await network.db.sql.raw(`CREATE USER '${user}'@'%' IDENTIFIED BY 'x'`)
  const url = Object.assign(new URL(network.url), { username: user, password: 'x' }).href
  const { stdout } = await runCommand(['grants', '--user', user], {
    DATABASE_URL: network.url,
    TABLE_PREFIX,
  })
  for (const line of stdout.split('\n')) if (/^[A-Z]/.test(line)) await network.db.sql.raw(line)
  return { url, drop: () => network.db.sql.raw(`DROP USER '${user}'@'%'`) }
}

/** Replaces the process by one with this account, as a rolling restart does. */
async function replaceService(url: string): Promise<void> {
  const started = await startServeProcesses(1, url, {
    TABLE_PREFIX,
    // The balancer sees that it stops before it refuses connections.
    DRAIN_SECONDS: '1',
  })
  const before = service
  service = started
  balancer.add(...started.urls)
  for (const one of started.urls) await balancer.until(one, true)
  await before?.stop()
}

it('another account of the database is taken without a failed request or a lost write', async () => {
  const [first, second] = [await createAccount(), await createAccount()]
  await replaceService(first.url)
  const written: string[] = []
  const failures: string[] = []
  let isEnded = false
  const write = async (writer: number): Promise<void> => {
    for (let at = 1; !isEnded; at += 1) {
      const slug = `account-${writer}-${at}`
      const response = await fetch(`${balancer.url}/site/2/frames`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Connection: 'close',
        },
        body: JSON.stringify({ slug, html: `<p>${slug}</p>` }),
      })
      if (response.status === 200) written.push(slug)
      else failures.push(`${response.status} ${await response.text()}`)
    }
  }
  const writing = Promise.all([1, 2, 3].map(write))
  await replaceService(second.url)
  await first.drop()
  const before = written.length
  await expect.poll(() => written.length, { timeout: 30_000 }).toBeGreaterThan(before + 5)
  isEnded = true
  await writing
  expect(failures).toEqual([])
  // The lists of the API have an end, and a fast machine writes many frames.
  const registry = await readRegistry(network.db, await network.site(2))
  expect(written.filter((slug) => !registry.find(slug))).toEqual([])
  await service?.stop()
  await second.drop()
}, 400_000)
