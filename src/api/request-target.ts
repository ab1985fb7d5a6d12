import type { Request } from 'express'
import { type LegacyPath, parseLegacyPath } from '../host/families.ts'
import { noRoute } from './http-errors.ts'

/** What a request is for, below the base path. */
export type RequestTarget = {
  readonly path: LegacyPath
  /** The path, as it was sent. */
  readonly sentPath: string
  /** The query, as it was sent. */
  readonly query: string
}

/**
 * The target of a request below the base path; undefined for one that is elsewhere. Express's routes ignore case, too.
 * @throws AppError `rest_no_route` for a path that cannot be decoded
 */
export function targetOf(request: Request, basePath: string): RequestTarget | undefined {
  const [whole = '', ...rest] = request.originalUrl.split('?')
  const isBelow = whole.slice(0, basePath.length).toLowerCase() === basePath.toLowerCase()
  const sentPath = whole.slice(basePath.length)
  if (!isBelow || !/^(?:\/|$)/.test(sentPath)) return undefined
  try {
    return { path: parseLegacyPath(sentPath), sentPath, query: rest.join('?') }
  } catch {
    return noRoute(request)
  }
}
