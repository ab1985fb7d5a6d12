import { setTimeout as sleep } from 'node:timers/promises'
import { PAGE_META_KEY } from '../../../src/content/frames/option-names.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import type { Caller } from '../support/caller.ts'
import { untilEqual } from '../support/cluster.ts'
import { observe } from '../support/facts.ts'
import type { Random } from '../support/random.ts'
import type { TortureFixture } from '../support/torture-fixture.ts'

const PAGE = 2
const KEPT = 'contest-kept'
/** Maximum delay of the second request, in milliseconds. */
const STAGGER_MS = 15

/**
 * Instances on two nodes write to one page at the same time, in many rounds: one assigns it to a frame, the other deletes that frame
 * or assigns the page to another one. A sentence for each round whose result matches no order of the two writes.
 */
export async function contestPage(
  { db, site }: TortureFixture,
  nodes: readonly SqlDatabase[],
  [one, other]: readonly [Caller, Caller],
  { rounds, random }: { readonly rounds: number; readonly random: Random },
): Promise<string[]> {
  const faults: string[] = []
  const bindings = () =>
    db.sql(site.tables.postmeta).where({ post_id: PAGE, meta_key: PAGE_META_KEY })
  const assign = (caller: Caller, slug: string) =>
    caller.call('POST', `/frames/${slug}/assign`, { page: PAGE, bake: false })
  await one.call('POST', '/frames', { slug: KEPT, html: 'kept', bake: false })
  for (let round = 0; round < rounds; round += 1) {
    const slug = `contest-${round}`
    await bindings().delete()
    await one.call('POST', '/frames', { slug, html: 'contested', bake: false })
    await untilEqual(nodes)
    const rival = async () => {
      await sleep(random.below(STAGGER_MS))
      return round % 2 === 0
        ? other.call('DELETE', `/frames/${slug}`, { bake: false })
        : assign(other, KEPT)
    }
    await Promise.all([assign(one, slug), rival()])
    await untilEqual(nodes)
    const { facts } = await observe(db, site)
    const frame = facts.get(`page ${PAGE}`)
    if (frame !== undefined && !facts.has(`frame ${frame}`))
      faults.push(`round ${round}: the page is on ${frame}`)
    const rows = await bindings()
    if (rows.length > 1) faults.push(`round ${round}: the page is on ${rows.length} frames`)
  }
  await bindings().delete()
  return faults
}
