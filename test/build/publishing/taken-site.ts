import type { PublishContext } from '../../../src/build/publishing/publish-copies.ts'
import { siteTask } from '../../../src/content/work/due-work.ts'
import type { Database } from '../../../src/db/database.ts'
import { relyOnTask, tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { sqlOf } from '../../support/statements.ts'

/** Gives a site to a builder, also if another one has it. */
export async function takeSite(
  db: Database,
  { blogId, globals }: Site,
  owner: string,
): Promise<void> {
  const row = { name: siteTask(blogId), owner, due_at: '2036-01-01' }
  await db.write({}, (tx) =>
    sqlOf(tx)(tasksTable(globals)).insert(row).onConflict().merge(['owner']),
  )
}

/** As a builder of the service commits what it has built. */
export const commitAs =
  (db: Database, { blogId, globals }: Site, owner: string): PublishContext['commit'] =>
  (work) =>
    db.write({ isWork: true }, (tx) => {
      relyOnTask(tx, globals, { name: siteTask(blogId), owner, leaseMs: 60_000 })
      return work(tx)
    })
