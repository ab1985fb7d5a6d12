import { parseConfig } from '../../src/host/config/config.ts'
import { answerProbes } from '../../src/host/health.ts'
import { HttpServer } from '../../src/host/http-server.ts'
import { createLog } from '../../src/host/log.ts'
import { FAST } from '../support/timings.ts'

/** Values of the variables that the operator sets. */
export const SECRETS = {
  DATABASE_URL: 'mysql://wordpress:password@database-proxy:3306/wordpress',
  EXECUTOR_KEY: 'secret '.repeat(8),
}

/** The ports at which a process with a role listens. */
export function portsOf(
  role: string,
  variables: Readonly<Record<string, string>>,
): { readonly http: number; readonly metrics: number } {
  const { port, frontPort, metricsPort } = parseConfig({ ...variables, ...SECRETS })
  return { http: role === 'front' ? frontPort : port, metrics: metricsPort }
}

/** The status with which a process with a role answers a probe that is sent to its address, while it is ready. */
export async function probeStatus(role: string, path: string): Promise<number> {
  const ready = { read: async () => ({ status: 'ready' as const, parts: {} }) }
  const answer = answerProbes(ready, { byAddressOnly: role === 'front' })
  const server = new HttpServer((_, response) => void response.writeHead(404).end(), {
    handle: (request, response, next) => {
      if (!answer(request, response)) next()
    },
    keepAliveMs: 1000,
    log: createLog('silent'),
    timings: FAST.http,
  })
  const url = await server.start('127.0.0.1', 0)
  try {
    return (await fetch(url + path)).status
  } finally {
    await server.stop()
  }
}
