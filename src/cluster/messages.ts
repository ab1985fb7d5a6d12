import type { Metrics } from '../metrics.ts'

/** The base URLs at which the parts of a worker process listen, by part. */
export type Addresses = Readonly<Record<string, string | undefined>>

/** The metrics of a process, as plain data. */
export type MetricsData = Awaited<ReturnType<Metrics['read']>>

/** What the primary process sends to a worker process. */
export type ToWorker =
  | { readonly type: 'wp-frames:stop' }
  | { readonly type: 'wp-frames:read-metrics'; readonly request: number }

/** What a worker process sends to the primary process. */
export type ToPrimary =
  | { readonly type: 'wp-frames:listening'; readonly addresses: Addresses }
  | { readonly type: 'wp-frames:metrics'; readonly request: number; readonly data: MetricsData }
