import type { Request, Response } from 'express'
import { type EntityTags, type Precondition, shortHash } from '../preconditions.ts'

/** An entity tag; the part before a dot is the version of the thing that was read, what follows is the digest of what was shown of it. */
const TAG = /(W\/)?"([^"]*)"/g

/** An answer as it is sent. */
export type TaggedResponse = { readonly bytes: Buffer; readonly tag: string | undefined }

/**
 * An answer with its tag (RFC 9110, section 8.8.3). What was read has one over all that the answer says, so that `304` is only ever
 * answered where nothing of it changed; a write has one of the version that it left, where it tells it.
 */
export function tagResponse(
  body: object,
  version: string | undefined,
  { isRead }: { readonly isRead: boolean },
): TaggedResponse {
  const bytes = Buffer.from(JSON.stringify(body))
  const words = [version, isRead ? shortHash(bytes) : undefined].filter(Boolean)
  return { bytes, tag: words.length > 0 ? entityTag(words.join('.')) : undefined }
}

export function sendTagged(response: Response, { bytes, tag }: TaggedResponse): void {
  if (tag !== undefined) response.set('ETag', tag)
  // Express answers If-None-Match by this header.
  response.type('json').send(bytes)
}

const isRead = ({ method }: Pick<Request, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD'

/** The tag of a word. */
export const entityTag = (word: string): string => `"${word}"`

/**
 * What a writer expects of the thing it writes to; undefined where it says nothing of that. Reads have no such condition: what they
 * compare is the whole answer.
 */
export function preconditionOf(request: Pick<Request, 'get' | 'method'>): Precondition | undefined {
  if (isRead(request)) return undefined
  const oneOf = entityTagsIn(request.get('if-match'), { weak: false })
  const noneOf = entityTagsIn(request.get('if-none-match'), { weak: true })
  if (!oneOf && !noneOf) return undefined
  return { ...(oneOf ? { ifMatch: oneOf } : {}), ...(noneOf ? { ifNoneMatch: noneOf } : {}) }
}

/** The versions in a header of tags. A weak tag is compared only where it may be (RFC 9110, section 13.1.1); what is no tag matches nothing. */
function entityTagsIn(
  header: string | undefined,
  { weak }: { weak: boolean },
): EntityTags | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  return [...header.matchAll(TAG)]
    .filter(([, isWeak]) => weak || isWeak === undefined)
    .map(([, , word = '']) => word.split('.', 1)[0] ?? '')
}
