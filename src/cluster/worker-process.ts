import cluster from 'node:cluster'
import type { Metrics } from '../metrics.ts'
import type { Addresses, ToPrimary, ToWorker } from './messages.ts'

/** The id of this worker process; undefined in the primary process and in a process without workers. */
export const workerProcessId = (): number | undefined => cluster.worker?.id

/** Tells the primary process that this worker process answers requests. */
export function reportListening(addresses: Addresses): void {
  send({ type: 'wp-frames:listening', addresses })
}

/** Resolves when the primary process asks this worker process to stop; never in other processes. */
export function waitForStopMessage(): Promise<void> {
  return new Promise((resolve) => {
    onMessage((message) => {
      if (message.type === 'wp-frames:stop') resolve()
    })
  })
}

/** Sends the metrics of this worker process to the primary process whenever that asks for them. */
export function sendMetricsOnRequest(metrics: Metrics): void {
  onMessage(async (message) => {
    if (message.type !== 'wp-frames:read-metrics') return
    const { request } = message
    // An unhandled rejection would end the process; without an answer the primary uses the last one.
    const data = await metrics.read().catch(() => undefined)
    if (data) send({ type: 'wp-frames:metrics', request, data })
  })
}

/** Closes the channel to the primary process, which would keep this worker process alive. Does nothing in other processes. */
export function leaveCluster(): void {
  if (cluster.worker?.isConnected()) cluster.worker.disconnect()
}

function onMessage(receive: (message: ToWorker) => void): void {
  cluster.worker?.on('message', receive)
}

function send(message: ToPrimary): void {
  // The primary process may have ended.
  if (cluster.worker?.isConnected()) cluster.worker.send(message, () => {})
}
