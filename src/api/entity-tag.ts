import type { Request, Response } from 'express'
import { inTimeSlice } from '../host/concurrency/time-slices.ts'
import { type EntityTags, type Precondition, shortHash } from '../host/preconditions.ts'

/** An entity tag: the version of the frame or menu and, after a dot, a hash of the whole response. */
const TAG = /(W\/)?"([^"]*)"/g

/** A response body as it is sent, and its entity tag in quotes. */
export type TaggedResponse = { readonly bytes: Buffer; readonly tag: string | undefined }

/**
 * A response with its entity tag (RFC 9110, section 8.8.3). The tag of a read covers the whole response, so that `304` is sent only if nothing in it
 * has changed. The tag of a write is the version that the write has stored, if the endpoint sets one.
 */
export async function tagResponse(
  body: object,
  version: string | undefined,
  { isRead }: { readonly isRead: boolean },
): Promise<TaggedResponse> {
  const text = await inTimeSlice(() => JSON.stringify(body))
  return inTimeSlice(() => {
    const bytes = Buffer.from(text)
    const parts = [version, isRead ? shortHash(bytes) : undefined].filter(Boolean)
    return { bytes, tag: parts.length > 0 ? entityTag(parts.join('.')) : undefined }
  })
}

export function sendTagged(response: Response, { bytes, tag }: TaggedResponse): void {
  if (tag !== undefined) response.setHeader('ETag', tag)
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  // Express compares the entity tag with If-None-Match and sends 304.
  response.send(bytes)
}

const isRead = ({ method }: Pick<Request, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD'

/** An entity tag with its quotes. */
export const entityTag = (tag: string): string => `"${tag}"`

/**
 * The conditions of a write; undefined if the request has none. Reads have no precondition: Express compares their entity tag with that of the whole
 * response.
 */
export function preconditionOf(request: Pick<Request, 'get' | 'method'>): Precondition | undefined {
  if (isRead(request)) return undefined
  return readPrecondition(request.get('if-match'), request.get('if-none-match'))
}

/** The conditions of these headers; undefined without any. */
export function readPrecondition(
  match: string | undefined,
  noneMatch: string | undefined,
): Precondition | undefined {
  const ifMatch = entityTagsIn(match, { weak: false })
  const ifNoneMatch = entityTagsIn(noneMatch, { weak: true })
  if (!ifMatch && !ifNoneMatch) return undefined
  return { ...(ifMatch ? { ifMatch } : {}), ...(ifNoneMatch ? { ifNoneMatch } : {}) }
}

/**
 * The versions in a header.
 * @param weak whether weak tags may match: not in If-Match (RFC 9110, section 13.1.1). Invalid tags match nothing.
 */
function entityTagsIn(
  header: string | undefined,
  { weak }: { weak: boolean },
): EntityTags | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  return [...header.matchAll(TAG)]
    .filter(([, isWeak]) => weak || isWeak === undefined)
    .map(([, , tag = '']) => tag.split('.', 1)[0] ?? '')
}
