import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { findWebhook, type Webhook } from '../../webhooks/webhooks-table.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import type { OwnerContext } from '../endpoint.ts'

/** The site whose webhooks a call is about; 0 for those of the network. */
export const ownerOf = ({ site }: Pick<OwnerContext, 'site'>): number => site?.blogId ?? 0

/** @throws AppError `webhook_not_found` */
export async function getWebhook(
  db: Db,
  call: Pick<OwnerContext, 'site'> & { readonly globals: GlobalTables },
  id: number,
  options: Parameters<typeof findWebhook>[4] = {},
): Promise<Webhook> {
  const webhook = await findWebhook(db, call.globals, ownerOf(call), id, options)
  if (webhook) return webhook
  throw new AppError('webhook_not_found', 'There is no webhook with this id. List the webhooks.')
}
