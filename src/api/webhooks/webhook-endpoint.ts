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
  id: string,
  options: Parameters<typeof findWebhook>[4] = {},
): Promise<Webhook> {
  const known = /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0
  const webhook = await findWebhook(db, call.globals, ownerOf(call), known, options)
  if (webhook) return webhook
  throw new AppError('webhook_not_found', 'There is no webhook with this id. List the webhooks.')
}
