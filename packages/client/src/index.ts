/** A typed client of the HTTP API of wp-frames: `import { createClient } from '@wp-frames/client'`. */
export { batchRequest } from './batch-request.ts'
export type { ChangeEvent, FollowChangesOptions } from './changes.ts'
export { type Client, type ClientOptions, createClient } from './create-client.ts'
export type { Call, CallOptions, Calls, EndpointName, Input, Output } from './endpoint-types.ts'
export type { PagedEndpointName } from './paging.ts'
export { isAtWork, type Plan, type WaitForPlanOptions } from './plans.ts'
export type { Retry, RetryOptions, Send } from './retrying-fetch.ts'
export type { components, paths } from './schema.ts'
export {
  type ErrorCode,
  isServiceError,
  ServiceError,
  type ServiceErrorWith,
} from './service-error.ts'
export {
  type ForEachSiteOptions,
  type Site,
  type SiteFailure,
  type SiteProgress,
  type SiteResult,
  SitesError,
  type SitesOptions,
} from './sites.ts'
export type {
  Change,
  CurrentFrame,
  CurrentMenu,
  FrameRef,
  MenuRef,
  UpdateOptions,
} from './update.ts'
