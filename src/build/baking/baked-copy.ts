import type { MarkupFacts } from '../../content/markup/evaluation/compile.ts'
import type { Needs } from '../../content/markup/evaluation/needs.ts'
import {
  decodePieces,
  escapeAstralCharacters,
  type Piece,
} from '../../content/markup/evaluation/pieces.ts'
import type { UnresolvedBind } from '../../host/effects.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Closure } from './closure.ts'

/** Increased whenever the format or the meaning of copies changes: older copies are then stale. */
const FORMAT = 4

/** The baked copy of a frame, stored in the option `svc_frame_<id>_baked`. It is data and never parsed as markup. */
export type BakedCopy = {
  readonly header: CopyHeader
  /** The pieces, encoded by `encodePieces`; undefined if they were not read, or were too large to be stored. */
  readonly body: string | undefined
}

/** Everything except the pieces: the inputs, which show whether the copy is fresh, and the facts that reports contain. */
export type CopyHeader = CopyVersions & {
  readonly format: number
  readonly closure: Closure
  readonly needs: Needs
  readonly facts: MarkupFacts
  /** Digest of the encoded pieces. */
  readonly digest: string
  /** Whether the pieces are stored; false if they are too large. */
  readonly hasBody: boolean
  /** One entry per language, or a single entry for all languages. */
  readonly languages: readonly BakedLanguage[]
}

/** The version of the site when it was baked, and the one since which it has this output; missing if they were not known. */
export type CopyVersions = {
  readonly baked?: number | undefined
  readonly changed?: number | undefined
}

export type BakedLanguage = {
  /** Null if the output does not depend on the language. */
  readonly lang: string | null
  /** Digest of all inputs, see `fingerprint`. */
  readonly fingerprint: string
  /** Number of pieces. */
  readonly blocks: number
  /** Bytes of finished HTML. */
  readonly bytes: number
  /** Whether it contains deferred pieces, which need a page. */
  readonly live: boolean
  /** `id` attributes of its menu lists. */
  readonly listIds: readonly string[]
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
}

/** Well below MariaDB's default limit of 16 MB per statement, because the text is copied several times while it is written. */
const MAX_BODY_BYTES = 7 * 1024 * 1024

export function createBakedCopy(
  { baked, changed, ...header }: Omit<CopyHeader, 'format' | 'hasBody'>,
  body: string,
): BakedCopy & { readonly body: string } {
  const hasBody = Buffer.byteLength(body) <= MAX_BODY_BYTES
  // The versions are its end: they are read without the rest.
  return { header: { format: FORMAT, hasBody, ...header, baked, changed }, body }
}

/** Encodes a copy as the option value: the header on the first line, then the pieces unless they are too large. */
export function encodeBakedCopy({ header, body }: BakedCopy): string {
  return `${escapeAstralCharacters(JSON.stringify(header))}\n${header.hasBody ? body : ''}`
}

/** Decodes an option value; undefined if it is missing, damaged or in another format. */
export function decodeBakedCopy(text: string | undefined): BakedCopy | undefined {
  const end = text?.indexOf('\n') ?? -1
  const header = decodeCopyHeader(text?.slice(0, end))
  return header && { header, body: header.hasBody ? text?.slice(end + 1) : undefined }
}

/** Decodes the first line of an option value; undefined if it is missing, damaged or in another format. */
export function decodeCopyHeader(line: string | undefined): CopyHeader | undefined {
  try {
    const header: CopyHeader | null = JSON.parse(line ?? '')
    return header?.format === FORMAT ? header : undefined
  } catch {
    return undefined
  }
}

/** What precedes the versions, which end the header. In a text of the header a quote is escaped, so that this is no part of it. */
export const BEFORE_VERSIONS = '"baked":'

/**
 * Decodes what follows `BEFORE_VERSIONS` in a header, which is the whole header if it has no versions; undefined if it is damaged or in another format.
 */
export function decodeCopyVersions(end: string): CopyVersions | undefined {
  const [, baked, changed] = /^(\d+)(?:,"changed":(\d+))?\}$/.exec(end) ?? []
  if (baked === undefined) return decodeCopyHeader(end) && {}
  return { baked: Number(baked), changed: changed === undefined ? undefined : Number(changed) }
}

/** The part of a copy for pages in a language. Pages in a language that was removed are shown in the first language. */
export function languageIn(
  { languages }: CopyHeader,
  lang: string | null,
): BakedLanguage | undefined {
  return languages.find((baked) => baked.lang === lang) ?? languages[0]
}

/** The pieces for one of the copy's languages; undefined if they are missing or damaged. */
export function piecesOf(
  { header, body }: BakedCopy,
  language: BakedLanguage,
): Piece[] | undefined {
  try {
    return body === undefined ? undefined : decodePieces(body, header.languages.indexOf(language))
  } catch {
    return undefined
  }
}

/**
 * The digest of all inputs of a copy in one language.
 * @param valuesDigest see `SiteData.digestOf`
 */
export function fingerprint(closure: Closure, valuesDigest: string): string {
  return sha256Hex(JSON.stringify([FORMAT, closure, valuesDigest]))
}
