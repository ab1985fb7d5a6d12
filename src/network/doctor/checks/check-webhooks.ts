import { listWebhooks, type Webhook } from '../../../changes/webhooks/webhooks-table.ts'
import type { Db } from '../../../db/database.ts'
import { parseUrl } from '../../../host/parse-url.ts'
import type { GlobalTables } from '../../../wordpress/network/site.ts'
import { type DoctorServices, found, ifTableMissing, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that the webhooks of the network get their messages. */
export const checkNetworkWebhooks = ({ db, globals }: DoctorServices): Promise<Problem[]> =>
  findProblems(db, globals, 0)

/** Checks that the webhooks of a site get their messages. */
export const checkWebhooks = ({ db, site }: SiteSnapshot): Promise<Problem[]> =>
  findProblems(db, site.globals, site.blogId)

async function findProblems(db: Db, globals: GlobalTables, blogId: number): Promise<Problem[]> {
  // Those whose last try has failed, and those that the service has disabled.
  const fails = `blog_id = :blogId AND ((state = 'enabled' AND tries > 0) OR reason IN ('failing', 'gone')) ORDER BY id`
  const webhooks = await listWebhooks(db, globals, fails, { blogId }).catch(ifTableMissing([]))
  return webhooks.map((webhook) =>
    found(
      webhook.state === 'disabled' ? 'webhook_disabled' : 'webhook_failing',
      `The webhook ${webhook.id} at ${parseUrl(webhook.url)?.host} ${describe(webhook)} ${webhook.error ?? ''}`.trim(),
      {},
      { at: webhook.next_at.slice(0, 19) },
    ),
  )
}

const describe = ({ state, disabled_at, failing_since }: Webhook): string =>
  state === 'disabled'
    ? `was disabled at ${disabled_at} GMT, after messages were not accepted since ${failing_since} GMT.`
    : `has not accepted messages since ${failing_since} GMT.`
