import { listNetworkChangesEndpoint } from '../events/list-changes.endpoint.ts'
import {
  listNetworkDeliveriesEndpoint,
  replayNetworkDeliveryEndpoint,
  testNetworkWebhookEndpoint,
} from '../webhooks/delivery.endpoints.ts'
import {
  createNetworkWebhookEndpoint,
  deleteNetworkWebhookEndpoint,
  getNetworkWebhookEndpoint,
  listNetworkWebhooksEndpoint,
  rotateNetworkWebhookSecretEndpoint,
  updateNetworkWebhookEndpoint,
} from '../webhooks/webhook.endpoints.ts'
import { getNetworkWorkEndpoint } from '../work/get-network-work.endpoint.ts'
import { listDriftEndpoint } from './drift.endpoint.ts'
import type { NetworkEndpoint } from './network-endpoint.ts'
import { getNetworkEntryEndpoint, listNetworkHistoryEndpoint } from './network-history.endpoints.ts'
import { listNetworkSitesEndpoint } from './network-sites.endpoint.ts'
import {
  applyPlanEndpoint,
  createPlanEndpoint,
  getPlanEndpoint,
  listPlansEndpoint,
  rollBackPlanEndpoint,
} from './plan.endpoints.ts'
import { issueTokenEndpoint, listTokensEndpoint, revokeTokenEndpoint } from './token.endpoints.ts'

/** Every endpoint of the network. */
export const networkEndpoints: readonly NetworkEndpoint[] = [
  listNetworkSitesEndpoint,
  getNetworkWorkEndpoint,
  listDriftEndpoint,
  listNetworkHistoryEndpoint,
  getNetworkEntryEndpoint,
  listNetworkChangesEndpoint,
  listTokensEndpoint,
  issueTokenEndpoint,
  revokeTokenEndpoint,
  createPlanEndpoint,
  listPlansEndpoint,
  getPlanEndpoint,
  applyPlanEndpoint,
  rollBackPlanEndpoint,
  listNetworkWebhooksEndpoint,
  createNetworkWebhookEndpoint,
  getNetworkWebhookEndpoint,
  updateNetworkWebhookEndpoint,
  rotateNetworkWebhookSecretEndpoint,
  deleteNetworkWebhookEndpoint,
  listNetworkDeliveriesEndpoint,
  testNetworkWebhookEndpoint,
  replayNetworkDeliveryEndpoint,
]
