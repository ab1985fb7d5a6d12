import { type Disruption, SERVICE_USER } from './disruptions/disruption.ts'
import { hurt } from './disruptions/run-disruptions.ts'
import { contestPage } from './galera/contests.ts'
import { Caller } from './support/caller.ts'
import { Cluster, clusterStatus, untilEqual } from './support/cluster.ts'
import { observe } from './support/facts.ts'
import { Load } from './support/load.ts'
import { Random } from './support/random.ts'
import { type Service, startService } from './support/service.ts'
import {
  installNetwork,
  makeAccount,
  openFixtureDatabase,
  SHOP,
  type TortureFixture,
} from './support/torture-fixture.ts'
import { unpackGalera } from './support/unpack-library.ts'
import { Writers } from './support/writers.ts'
import type { Trial } from './trial.ts'

const ROUNDS = { short: 6, full: 60 }
/** Attempts to start a node. */
const ATTEMPTS = 3

/** Instances on different nodes write to the same menus and options; then a node is stopped and started again. */
export const galera: Trial = {
  name: 'galera',
  needsMariaDb: true,
  tries:
    'three nodes of a Galera cluster, an instance on each, and one node stopped and restarted under load',
  async run({ short, folder, seed, progress }) {
    const library = await unpackGalera()
    let installed: TortureFixture | undefined
    let account = ''
    const cluster = await Cluster.make(folder, library, async (first) => {
      installed = await installNetwork(first, folder)
      account = await makeAccount(installed, SERVICE_USER)
    })
    if (!installed) throw new Error('the first node has no data')
    const fixture = installed
    await cluster.start()
    const nodes = cluster.nodes.map(openFixtureDatabase)
    const services: Service[] = []
    try {
      for (const { port } of cluster.nodes) {
        const url = new URL(account)
        url.port = String(port)
        services.push(await startService({ databaseUrl: url.href, staticDir: fixture.staticDir }))
      }
      progress('the cluster runs')
      const urls = services.map(({ apiUrl }) => apiUrl)
      const writers = await Writers.prepare(fixture, urls.slice(0, 1), { seed, parts: 10 })
      await untilEqual(nodes)
      writers.callAt(urls)
      const load = await Load.prepare(fixture, services, writers)
      await untilEqual(nodes)
      const lasts = short ? 2_000 : 15_000
      const together = await hurt(fixture, load, NOTHING, lasts)
      const apart = await hurt(fixture, load, leaving(cluster), lasts)
      await untilEqual(nodes)
      const [one, other] = services.map(
        ({ apiUrl }) => new Caller('rival', { token: fixture.token, blogId: SHOP, url: apiUrl }),
      )
      if (!one || !other) throw new Error('there are no two services')
      const rounds = short ? ROUNDS.short : ROUNDS.full
      const contests = await contestPage(fixture, nodes, [one, other], {
        rounds,
        random: new Random(seed),
      })
      await untilEqual(nodes)
      const states = await Promise.all(nodes.map((node) => observe(node, fixture.site)))
      const contents = states.map(({ facts }) => JSON.stringify([...facts].sort()))
      const sum = async (name: string) => {
        const values = await Promise.all(nodes.map((node) => clusterStatus(node, name)))
        return values.map(Number).reduce((total, value) => total + value, 0)
      }
      const [[step]] = await fixture.db.sql.raw('SELECT @@auto_increment_increment AS step')
      return {
        figures: {
          nodes: await clusterStatus(fixture.db, 'cluster_size'),
          auto_increment_increment: step.step,
          'all together': together.figures,
          'a node stopped and restarted': apart.figures,
          'contests of two nodes for one page': rounds,
          'certification conflicts': await sum('local_cert_failures'),
          'aborted transactions': await sum('local_bf_aborts'),
        },
        faults: [
          ...together.faults,
          ...apart.faults,
          ...contests,
          ...(new Set(contents).size === 1 ? [] : ['the nodes contain different data']),
          ...(step.step === 3 ? [] : ['ids do not increase in steps of three']),
        ],
      }
    } finally {
      for (const service of services) await service.kill()
      await Promise.all(nodes.map((node) => node.close()))
      await fixture.close()
      await cluster.stop()
    }
  },
}

/** No failure except conflicts between writers on different nodes. */
const NOTHING: Disruption = { name: 'nothing', inflict: async () => async () => undefined }

const leaving = ({ nodes }: Cluster): Disruption => ({
  name: 'a node is stopped',
  inflict: async () => {
    await nodes.at(-1)?.stop()
    return async () => {
      await comeBack(nodes.at(-1))
      return undefined
    }
  },
})

/** A joining node ends if its donor is busy. MariaDB's systemd unit restarts it (`Restart=on-abort`). */
async function comeBack(node: Cluster['nodes'][number] | undefined): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await node?.start()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}
