import type { NetworkEndpoint } from './network-endpoint.ts'
import { getNetworkEntryEndpoint, listNetworkHistoryEndpoint } from './network-history.endpoints.ts'
import {
  applyPlanEndpoint,
  createPlanEndpoint,
  getPlanEndpoint,
  rollBackPlanEndpoint,
} from './plan.endpoints.ts'
import { issueTokenEndpoint, listTokensEndpoint, revokeTokenEndpoint } from './token.endpoints.ts'

/** Every endpoint of the network. */
export const networkEndpoints: readonly NetworkEndpoint[] = [
  listNetworkHistoryEndpoint,
  getNetworkEntryEndpoint,
  listTokensEndpoint,
  issueTokenEndpoint,
  revokeTokenEndpoint,
  createPlanEndpoint,
  getPlanEndpoint,
  applyPlanEndpoint,
  rollBackPlanEndpoint,
]
