import http from 'node:http'
import type { StoreKeys } from '#wp-frames/host/config/store-settings'
import { findTag } from './store-xml.ts'

/** What a store says about a request that it refuses. */
export type StoreRefusal = {
  readonly code: string
  readonly reason: string | undefined
  readonly region: string | undefined
}

/** Longest sentence of a store in a message, in characters. */
const MAX_REASON_LENGTH = 300

/**
 * Reads the answer to a request that was refused. A store, or a proxy in front of it, may repeat anything of the request, such as its signature, in
 * any element: codes and regions have the characters of codes, and a sentence is cut, without keys.
 */
export function readRefusal(
  status: number,
  { headers, body }: { readonly headers: http.IncomingHttpHeaders; readonly body: Buffer },
  keys: StoreKeys,
): StoreRefusal {
  const xml = body.toString()
  const region = headers['x-amz-bucket-region'] ?? findTag(xml, 'Region')
  return {
    code: asCode(findTag(xml, 'Code')) ?? http.STATUS_CODES[status] ?? '',
    reason: asReason(findTag(xml, 'Message'), keys),
    region: typeof region === 'string' && /^[a-z0-9-]{1,40}$/.test(region) ? region : undefined,
  }
}

/** A code of a store; undefined for another text. */
export const asCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Za-z][A-Za-z0-9._-]{0,63}$/.test(text) ? text : undefined

function asReason(
  text: string | undefined,
  { accessKeyId, secretAccessKey, sessionToken }: StoreKeys,
): string | undefined {
  if (text === undefined) return undefined
  const secrets = [secretAccessKey, sessionToken ?? '', accessKeyId].filter((one) => one !== '')
  const spelled = secrets.flatMap((one) => [one, encodeURIComponent(one)])
  const plain = spelled
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    // Signatures, tokens, and whatever else is no language.
    .replace(/[A-Za-z0-9+/=_%-]{32,}/g, '…')
    .replace(/[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .trim()
    .replace(/\.$/, '')
  if (!/[A-Za-z]/.test(plain)) return undefined
  return plain.length > MAX_REASON_LENGTH ? `${plain.slice(0, MAX_REASON_LENGTH)}…` : plain
}
