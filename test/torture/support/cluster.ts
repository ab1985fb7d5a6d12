import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { DatabaseServer } from './database-server.ts'

const NODES = 3
/** The folder of the script `wsrep_sst_<name>` that transfers the state to a node. */
const TRANSFER = 'torture'
const PROGRAMS = resolve(import.meta.dirname, '../galera')
const NEW_CLUSTER = '--wsrep-new-cluster'
const SYNC_TIMEOUT_MS = 30_000

/** A Galera cluster on this machine's loopback. */
export class Cluster {
  readonly nodes: readonly DatabaseServer[]

  private constructor(nodes: readonly DatabaseServer[]) {
    this.nodes = nodes
  }

  /**
   * Creates the cluster from a single server; nothing runs yet. All nodes start with the same data, so that no transfer is necessary.
   * @param library path of Galera's library
   * @param fill writes the data, on the first node while it runs without a cluster
   */
  static async make(
    folder: string,
    library: string,
    fill: (first: DatabaseServer) => Promise<void>,
  ): Promise<Cluster> {
    const ports = await Promise.all(Array.from({ length: NODES * 2 }, () => freePort()))
    const at = (index: number) => `127.0.0.1:${ports[index]}`
    const members = Array.from({ length: NODES }, (_, index) => at(index)).join(',')
    const directoryOf = (index: number) => join(folder, `node-${index + 1}`)
    const make = (index: number, port?: number) =>
      DatabaseServer.make({
        ...(port !== undefined && { port }),
        directory: directoryOf(index),
        durable: false,
        // Accounts are replicated, so no node creates them when it starts.
        makesAccount: false,
        args: [
          '--binlog-format=ROW',
          '--innodb-autoinc-lock-mode=2',
          '--innodb-log-file-size=32M',
          '--wsrep-on=ON',
          `--wsrep-provider=${library}`,
          '--wsrep-cluster-name=torture',
          `--wsrep-cluster-address=gcomm://${members}`,
          '--wsrep-node-address=127.0.0.1',
          `--wsrep-node-name=node-${index + 1}`,
          `--wsrep-provider-options=gmcast.listen_addr=tcp://${at(index)};ist.recv_addr=${at(NODES + index)};gcache.size=32M`,
          `--wsrep-sst-method=${TRANSFER}`,
        ],
        programs: PROGRAMS,
      })
    const alone = await DatabaseServer.make({ directory: directoryOf(0), durable: false })
    await alone.start()
    await fill(alone)
    await alone.stop()
    const first = await make(0, alone.port)
    // Started once alone in the cluster, to get the position in its history at which the others begin.
    await first.start([NEW_CLUSTER])
    await first.stop()
    const others: DatabaseServer[] = []
    for (let index = 1; index < NODES; index += 1) {
      await cp(directoryOf(0), directoryOf(index), { recursive: true })
      others.push(await make(index))
    }
    return new Cluster([first, ...others])
  }

  /** Starts the nodes one after the other. */
  async start(): Promise<void> {
    for (const [index, node] of this.nodes.entries())
      await node.start(index === 0 ? [NEW_CLUSTER] : [])
  }

  /** Stops the running nodes, the first node last. */
  async stop(): Promise<void> {
    for (const node of [...this.nodes].reverse()) await node.stop()
  }
}

/** Waits until all nodes have executed the same writes. No writer may be active. */
export async function untilEqual(nodes: readonly SqlDatabase[]): Promise<void> {
  for (const began = Date.now(); ; await sleep(20)) {
    const positions = await Promise.all(nodes.map((node) => clusterStatus(node, 'last_committed')))
    if (new Set(positions).size === 1) return
    if (Date.now() - began > SYNC_TIMEOUT_MS)
      throw new Error(`the nodes do not reach the same position: ${positions}`)
  }
}

/** The status variable `wsrep_<name>` of a node. */
export async function clusterStatus({ sql }: SqlDatabase, name: string): Promise<string> {
  const [[status]] = await sql.raw(`SHOW GLOBAL STATUS LIKE 'wsrep_${name}'`)
  return status?.Value ?? ''
}
