import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/db/database.ts'
import { freePort } from '../../test/support/free-port.ts'
import { DatabaseServer } from './database-server.ts'

const NODES = 3
/** The file `wsrep_sst_<name>` here is how a node gets its state. */
const TRANSFER = 'torture'
const PROGRAMS = resolve(import.meta.dirname, '../galera')
const NEW_CLUSTER = '--wsrep-new-cluster'
const SYNC_PATIENCE_MS = 30_000

/** A Galera cluster on this machine's loopback. */
export class Cluster {
  readonly nodes: readonly DatabaseServer[]

  private constructor(nodes: readonly DatabaseServer[]) {
    this.nodes = nodes
  }

  /**
   * Makes it of a server that stands alone; nothing runs yet. Each node begins with the same data, so that none has to be given it.
   * @param library Galera's
   * @param fill runs on the first node while it still stands alone
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
        // Accounts are written on all nodes: none writes its own as it starts.
        makesAccount: false,
        args: [
          ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--innodb-log-file-size=32M'],
          ...['--wsrep-on=ON', `--wsrep-provider=${library}`, '--wsrep-cluster-name=torture'],
          `--wsrep-cluster-address=gcomm://${members}`,
          ...['--wsrep-node-address=127.0.0.1', `--wsrep-node-name=node-${index + 1}`],
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
    // Once alone in the cluster, to be given the place in its history at which the others begin.
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

  /** Stops those that run, the first at last. */
  async stop(): Promise<void> {
    for (const node of [...this.nodes].reverse()) await node.stop()
  }
}

/** Waits until all nodes have carried out the same writes; nobody may be writing. */
export async function untilEqual(nodes: readonly Db[]): Promise<void> {
  for (const began = Date.now(); ; await sleep(20)) {
    const places = await Promise.all(nodes.map((node) => clusterStatus(node, 'last_committed')))
    if (new Set(places).size === 1) return
    if (Date.now() - began > SYNC_PATIENCE_MS) throw new Error(`the nodes stay apart: ${places}`)
  }
}

/** What a node says of itself under `wsrep_<name>`. */
export async function clusterStatus({ sql }: Db, name: string): Promise<string> {
  const [[status]] = await sql.raw(`SHOW GLOBAL STATUS LIKE 'wsrep_${name}'`)
  return status?.Value ?? ''
}
