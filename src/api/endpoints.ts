import { runBatchEndpoint } from './batch/run-batch.endpoint.ts'
import { reportChangesEndpoint } from './changes/report-changes.endpoint.ts'
import { listCompletionsEndpoint } from './completions/list-completions.endpoint.ts'
import { contentWrites } from './content-writes.ts'
import { getDataEndpoint } from './data/get-data.endpoint.ts'
import { getSiteDescriptionEndpoint } from './description/get-description.endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { listChangesEndpoint } from './events/list-changes.endpoint.ts'
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
import { listPagesEndpoint } from './pages/list-pages.endpoint.ts'
import { previewPageEndpoint } from './preview/preview-page.endpoint.ts'
import {
  listDeliveriesEndpoint,
  replayDeliveryEndpoint,
  testWebhookEndpoint,
} from './webhooks/delivery.endpoints.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhooksEndpoint,
  rotateWebhookSecretEndpoint,
  updateWebhookEndpoint,
} from './webhooks/webhook.endpoints.ts'
import { getWorkEndpoint } from './work/get-work.endpoint.ts'

/** Every endpoint. Of two paths that fit a request, the first is taken. */
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
]
