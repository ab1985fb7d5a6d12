import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../host/config/config.ts'
import { isTrustedPeer } from '../host/config/trust-proxy.ts'
import { answerProbes, type ReadinessProbe } from '../host/health.ts'
import { HttpServer, type HttpServerOptions, type UnsentResponses } from '../host/http-server.ts'
import type { Log } from '../host/log.ts'
import type { Metrics } from '../host/metrics.ts'
import type { Timings } from '../host/timings.ts'
import { traceRequest } from '../host/trace.ts'
import type { Listening, Roles } from './cli-context.ts'

export type ListenServices = {
  readonly probe: ReadinessProbe
  readonly metrics: Metrics | undefined
  readonly unsent: UnsentResponses
  /** Is called before the servers stop: it ends what they would wait for. */
  readonly onStop: () => void
  readonly log: Log
  readonly timings: Timings['http']
}

/** Creates the application of each part; called for the parts that listen. */
export type Apps = Readonly<Record<keyof Roles, () => RequestListener>>

/** Uploads to the old endpoint may take as long as it may be silent. In milliseconds. */
const uploadTimeout = (
  { legacyUrl, legacyTimeoutSeconds }: Config,
  { requestTimeoutMs }: Timings['http'],
): number => Math.max(requestTimeoutMs, legacyUrl === undefined ? 0 : legacyTimeoutSeconds * 1000)

/** Starts the HTTP servers of these roles and of the metrics. If one fails to start, the others are stopped. */
export async function listen(
  config: Config,
  roles: Roles,
  apps: Apps,
  { probe, metrics, unsent, onStop, log, timings }: ListenServices,
): Promise<Listening> {
  const servers: HttpServer[] = []
  const keepAliveMs = config.keepAliveSeconds * 1000
  const start = (server: HttpServer, host: string, port: number): Promise<string> => {
    servers.push(server)
    return server.start(host, port)
  }
  const startPart = (part: keyof Roles, port: number): Promise<string> => {
    const answer = answerProbes(probe, { byAddressOnly: part === 'front' })
    const handle: HttpServerOptions['handle'] = (request, response, next) => {
      if (answer(request, response)) return
      metrics?.countRequest(part, request, response)
      // The API is the client of the executor. Others could have every request recorded.
      const isTrusted =
        part === 'executor' || isTrustedPeer(config.trustProxy, request.socket.remoteAddress)
      traceRequest(part, isTrusted, request, response, next)
    }
    const upload = part === 'api' ? { uploadTimeoutMs: uploadTimeout(config, timings) } : {}
    const options = { timings, handle, unsent, log, keepAliveMs, ...upload }
    const server = new HttpServer(apps[part](), options)
    return start(server, config.host, port)
  }
  const startMetrics = (measured: Metrics): Promise<string> =>
    start(
      new HttpServer(measured.listener(), { timings, keepAliveMs, unsent, log }),
      config.metricsHost,
      config.metricsPort,
    )
  const stop = (): Promise<unknown> => {
    onStop()
    return Promise.all(servers.map((server) => server.stop()))
  }
  const close = async (): Promise<void> => {
    probe.stop()
    if (config.drainSeconds > 0) await sleep(config.drainSeconds * 1000)
    await stop()
  }
  try {
    const { port, frontPort } = config
    return {
      apiUrl: roles.api ? (await startPart('api', port)) + config.basePath : undefined,
      frontUrl: roles.front && frontPort > 0 ? await startPart('front', frontPort) : undefined,
      executorUrl: roles.executor ? await startPart('executor', port) : undefined,
      metricsUrl: metrics ? await startMetrics(metrics) : undefined,
      close,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
