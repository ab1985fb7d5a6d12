import type { Request } from 'express'

/** The token of a request: `Authorization: Bearer` takes precedence over `X-Svc-Key`. */
export function tokenOf(request: Pick<Request, 'get'>): string | undefined {
  const [, bearer] = /^Bearer +(\S.*)$/i.exec(request.get('authorization') ?? '') ?? []
  return bearer?.trim() || request.get('x-svc-key')?.trim() || undefined
}
