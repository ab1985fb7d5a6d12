import { runBatchEndpoint } from './batch/run-batch.endpoint.ts'
import { reportChangesEndpoint } from './changes/report-changes.endpoint.ts'
import { listCompletionsEndpoint } from './completions/list-completions.endpoint.ts'
import { contentWrites } from './content-writes.ts'
import { getDataEndpoint } from './data/get-data.endpoint.ts'
import { getSiteDescriptionEndpoint } from './description/get-description.endpoint.ts'
import type { Endpoint, EndpointKind } from './endpoint.ts'
import { listChangesEndpoint, listNetworkChangesEndpoint } from './events/list-changes.endpoint.ts'
import { fixFindingsEndpoint } from './findings/fix-findings.endpoint.ts'
import { listFindingsEndpoint } from './findings/list-findings.endpoint.ts'
import { checkFramesEndpoint } from './frames/check-frames.endpoint.ts'
import { getFrameEndpoint } from './frames/get-frame.endpoint.ts'
import { listFramesEndpoint } from './frames/list-frames.endpoint.ts'
import { rebakeFramesEndpoint } from './frames/rebake-frames.endpoint.ts'
import { removedFrameEndpoints } from './frames/removed-frame-endpoints.ts'
import { getGraphEndpoint } from './graph/get-graph.endpoint.ts'
import { getEntryEndpoint } from './history/get-entry.endpoint.ts'
import { listHistoryEndpoint } from './history/list-history.endpoint.ts'
import { restoreEndpoint } from './history/restore.endpoint.ts'
import { getMenuEndpoint } from './menus/get-menu.endpoint.ts'
import { listMenusEndpoint } from './menus/list-menus.endpoint.ts'
import { listMenuTargetsEndpoint } from './menus/list-targets.endpoint.ts'
import { listDriftEndpoint } from './network/drift.endpoint.ts'
import {
  getNetworkEntryEndpoint,
  listNetworkHistoryEndpoint,
} from './network/network-history.endpoints.ts'
import { listNetworkSitesEndpoint } from './network/network-sites.endpoint.ts'
import {
  applyPlanEndpoint,
  createPlanEndpoint,
  getPlanEndpoint,
  listPlansEndpoint,
  rollBackPlanEndpoint,
} from './network/plan.endpoints.ts'
import {
  issueTokenEndpoint,
  listTokensEndpoint,
  revokeTokenEndpoint,
} from './network/token.endpoints.ts'
import { listPagesEndpoint } from './pages/list-pages.endpoint.ts'
import { previewPageEndpoint } from './preview/preview-page.endpoint.ts'
import { getMeEndpoint } from './sites/get-me.endpoint.ts'
import { listSitesEndpoint } from './sites/list-sites.endpoint.ts'
import {
  listDeliveriesEndpoint,
  listNetworkDeliveriesEndpoint,
  replayDeliveryEndpoint,
  replayNetworkDeliveryEndpoint,
  testNetworkWebhookEndpoint,
  testWebhookEndpoint,
} from './webhooks/delivery.endpoints.ts'
import {
  createNetworkWebhookEndpoint,
  createWebhookEndpoint,
  deleteNetworkWebhookEndpoint,
  deleteWebhookEndpoint,
  getNetworkWebhookEndpoint,
  getWebhookEndpoint,
  listNetworkWebhooksEndpoint,
  listWebhooksEndpoint,
  rotateNetworkWebhookSecretEndpoint,
  rotateWebhookSecretEndpoint,
  updateNetworkWebhookEndpoint,
  updateWebhookEndpoint,
} from './webhooks/webhook.endpoints.ts'
import { getNetworkWorkEndpoint } from './work/get-network-work.endpoint.ts'
import { getWorkEndpoint } from './work/get-work.endpoint.ts'

/** Every endpoint: those of sites, of the network, of the caller. Of two paths that fit a request, the first is taken. */
export const endpoints: readonly Endpoint[] = [
  ...removedFrameEndpoints.filter(({ method }) => method === 'get'),
  rebakeFramesEndpoint,
  checkFramesEndpoint,
  listFramesEndpoint,
  getFrameEndpoint,
  getGraphEndpoint,
  listMenusEndpoint,
  listMenuTargetsEndpoint,
  getMenuEndpoint,
  listPagesEndpoint,
  getSiteDescriptionEndpoint,
  ...contentWrites,
  runBatchEndpoint,
  previewPageEndpoint,
  listHistoryEndpoint,
  getEntryEndpoint,
  listChangesEndpoint,
  restoreEndpoint,
  listFindingsEndpoint,
  fixFindingsEndpoint,
  getDataEndpoint,
  listCompletionsEndpoint,
  getWorkEndpoint,
  reportChangesEndpoint,
  listWebhooksEndpoint,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  rotateWebhookSecretEndpoint,
  deleteWebhookEndpoint,
  listDeliveriesEndpoint,
  testWebhookEndpoint,
  replayDeliveryEndpoint,
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
  getMeEndpoint,
  listSitesEndpoint,
]

/** The endpoints of one kind. */
export const endpointsOn = (kind: EndpointKind): readonly Endpoint[] =>
  endpoints.filter(({ on }) => on === kind)
