import { contestPage } from './galera/contests.ts'
import { type Injury, SERVICE_USER } from './injuries/injury.ts'
import { hurt } from './injuries/stand-injuries.ts'
import { Caller } from './support/caller.ts'
import { Cluster, clusterStatus, untilEqual } from './support/cluster.ts'
import { observe } from './support/facts.ts'
import { Load } from './support/load.ts'
import { Random } from './support/random.ts'
import { type Service, startService } from './support/service.ts'
import { layNetwork, makeAccount, openStageDatabase, SHOP, type Stage } from './support/stage.ts'
import { unpackGalera } from './support/unpack-galera.ts'
import { Writers } from './support/writers.ts'
import type { Trial } from './trial.ts'

const ROUNDS = { short: 6, full: 60 }
/** How often a node is started before it is given up. */
const ATTEMPTS = 3

/** Instances on different nodes write to the same menus and options; then a node leaves and comes back. */
export const galera: Trial = {
  name: 'galera',
  tries:
    'three nodes of a Galera cluster, an instance on each, and one node stopped and brought back under load',
  async run({ short, folder, seed, progress }) {
    const library = await unpackGalera()
    let laid: Stage | undefined
    let account = ''
    const cluster = await Cluster.make(folder, library, async (first) => {
      laid = await layNetwork(first, folder)
      account = await makeAccount(laid, SERVICE_USER)
    })
    if (!laid) throw new Error('the first node was not filled')
    const stage = laid
    await cluster.start()
    const nodes = cluster.nodes.map(openStageDatabase)
    const services: Service[] = []
    try {
      for (const { port } of cluster.nodes) {
        const url = new URL(account)
        url.port = String(port)
        services.push(await startService({ databaseUrl: url.href, staticDir: stage.staticDir }))
      }
      progress('the cluster runs')
      const urls = services.map(({ apiUrl }) => apiUrl)
      const writers = await Writers.prepare(stage, urls.slice(0, 1), { seed, parts: 10 })
      await untilEqual(nodes)
      writers.callAt(urls)
      const load = await Load.prepare(stage, services, writers)
      await untilEqual(nodes)
      const lasts = short ? 2_000 : 15_000
      const together = await hurt(stage, load, NOTHING, lasts)
      const apart = await hurt(stage, load, leaving(cluster), lasts)
      await untilEqual(nodes)
      const [one, other] = services.map(
        ({ apiUrl }) => new Caller('rival', { token: stage.token, blogId: SHOP, url: apiUrl }),
      )
      if (!one || !other) throw new Error('there are no two services')
      const rounds = short ? ROUNDS.short : ROUNDS.full
      const contests = await contestPage(stage, nodes, [one, other], {
        rounds,
        random: new Random(seed),
      })
      await untilEqual(nodes)
      const states = await Promise.all(nodes.map((node) => observe(node, stage.site)))
      const contents = states.map(({ facts }) => JSON.stringify([...facts].sort()))
      const sum = async (name: string) => {
        const values = await Promise.all(nodes.map((node) => clusterStatus(node, name)))
        return values.map(Number).reduce((total, value) => total + value, 0)
      }
      const [[step]] = await stage.db.sql.raw('SELECT @@auto_increment_increment AS step')
      return {
        figures: {
          nodes: await clusterStatus(stage.db, 'cluster_size'),
          auto_increment_increment: step.step,
          'all together': together.figures,
          'a node stopped and brought back': apart.figures,
          'contests of two nodes for one page': rounds,
          'certification conflicts': await sum('local_cert_failures'),
          'transactions that had to give way': await sum('local_bf_aborts'),
        },
        faults: [
          ...together.faults,
          ...apart.faults,
          ...contests,
          ...(new Set(contents).size === 1 ? [] : ['the nodes hold different things']),
          ...(step.step === 3 ? [] : ['the ids were not given out in steps of three']),
        ],
      }
    } finally {
      for (const service of services) await service.kill()
      await Promise.all(nodes.map((node) => node.close()))
      await stage.close()
      await cluster.stop()
    }
  },
}

/** All goes well, but for writers of different nodes who meet. */
const NOTHING: Injury = { name: 'nothing', inflict: async () => async () => undefined }

const leaving = ({ nodes }: Cluster): Injury => ({
  name: 'a node leaves',
  inflict: async () => {
    await nodes.at(-1)?.stop()
    return async () => {
      await comeBack(nodes.at(-1))
      return undefined
    }
  },
})

/** A node that joins gives up where its donor can't serve it now; MariaDB's unit for systemd starts it again (`Restart=on-abort`). */
async function comeBack(node: Cluster['nodes'][number] | undefined): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await node?.start()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}
