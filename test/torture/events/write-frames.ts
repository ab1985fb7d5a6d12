import { setTimeout as sleep } from 'node:timers/promises'
import { findSite } from '../../../src/wordpress/network/find-sites.ts'
import { globalTables, type Site } from '../../../src/wordpress/network/site.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { Random } from '../support/random.ts'
import { replaceFrames } from './frames.ts'

/** The argument of the process, as JSON. */
export type WriteOrder = {
  readonly databaseUrl: string
  /** Its own frames, and the begin of its request ids: `<name>-<number>`, from 0. */
  readonly own: { readonly name: string; readonly blogId: number }
  /** The frames to which all processes write. */
  readonly shared: { readonly name: string; readonly blogId: number }
  /** Number of transactions. */
  readonly count: number
  readonly perSecond: number
  readonly seed: number
}

/** What the process reports at the end. */
export type WriteReport = {
  /** Request ids of the committed transactions. */
  readonly written: readonly string[]
  /** Why others failed. */
  readonly errors: readonly string[]
}

/** One transaction of so many writes to a frame of all processes. */
const SHARED_EVERY = 5
/** One of so many writes several frames. */
const SEVERAL = { every: 20, frames: 3 }
/** One of so many stays open after its statements, so that others that begin later are committed earlier. */
const SLOW = { every: 10, ms: 30 }

const order: WriteOrder = JSON.parse(process.argv[2] ?? '')
const report = await writeFrames(order)
process.send?.(report, () => process.exit())

async function writeFrames({
  databaseUrl,
  own,
  shared,
  count,
  perSecond,
  seed,
}: WriteOrder): Promise<WriteReport> {
  const db = openTestDatabase({ url: databaseUrl, poolSize: 4 })
  const siteOf = async (blogId: number): Promise<Site> => {
    const site = await findSite(db, globalTables('wp_'), blogId)
    if (!site) throw new Error(`there is no site ${blogId}`)
    return site
  }
  const targets = {
    own: { name: own.name, site: await siteOf(own.blogId) },
    shared: { name: shared.name, site: await siteOf(shared.blogId) },
  }
  const random = new Random(seed)
  const written: string[] = []
  const errors: string[] = []
  const began = performance.now()
  for (let at = 0; at < count; at += 1) {
    await sleep(Math.max(0, began + (at * 1000) / perSecond - performance.now()))
    const { name, site } = at % SHARED_EVERY === 0 ? targets.shared : targets.own
    const frames = at % SEVERAL.every === 1 ? SEVERAL.frames : 1
    const holdMs = at % SLOW.every === 0 ? random.below(SLOW.ms) : 0
    const requestId = `${own.name}-${at}`
    const author = { userId: 1, tokenId: null, label: 'torture', requestId }
    try {
      await db.write({ site, author }, async (tx) => {
        const html = `<p>${requestId}</p>`
        await replaceFrames(tx, site, name, { first: at, count: frames, html })
        tx.beforeCommit(async () => {
          await tx.flush()
          await sleep(holdMs)
        })
      })
      written.push(requestId)
    } catch (error) {
      errors.push(`the write ${requestId} failed: ${error}`)
    }
  }
  await db.close()
  return { written, errors }
}
