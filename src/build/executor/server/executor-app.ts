import type { KeyObject } from 'node:crypto'
import express, { type Express } from 'express'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Log } from '../../../host/log.ts'
import type { LocalExecutor } from '../local-executor.ts'
import { TOKEN } from '../wake-up.ts'

export type ExecutorAppOptions = {
  readonly executor: Pick<LocalExecutor, 'wake'>
  /** The keys that wake-ups may be signed with. */
  readonly keys: readonly KeyObject[]
  readonly log: Log
}

/** Maximum clock difference between API and executor, in seconds. */
const CLOCK_TOLERANCE_S = 5

/** Creates the HTTP server of the executor for APIs in other processes: `POST /wake`, signed and without a body. */
export function createExecutorApp({ executor, keys, log }: ExecutorAppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.post('/wake', async (request, response) => {
    response.locals.route = request.route.path
    const site = await readWakeUp(keys, request.headers.authorization)
    if (site !== undefined) executor.wake(site, true)
    else log.warn({ path: request.path }, 'wake-up rejected')
    response.status(site === undefined ? 401 : 204).end()
  })
  return app
}

/** @returns the site whose work was recorded; undefined if none of the keys has signed this within a minute */
export async function readWakeUp(
  keys: readonly KeyObject[],
  authorization = '',
): Promise<number | undefined> {
  const [, token = ''] = /^Bearer (\S+)$/.exec(authorization) ?? []
  const claims = await Promise.all(keys.map((key) => readClaims(key, token)))
  const { site, version } = claims.find((one) => one !== undefined) ?? {}
  return Number.isInteger(site) && Number.isInteger(version) ? Number(site) : undefined
}

async function readClaims(key: KeyObject, token: string): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [TOKEN.algorithm],
      audience: TOKEN.audience,
      maxTokenAge: TOKEN.seconds,
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['aud', 'iat', 'exp', 'site', 'version'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
