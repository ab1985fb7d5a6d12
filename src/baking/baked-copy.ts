import type { UnresolvedBind } from '../change.ts'
import { sha256Hex } from '../hash.ts'
import type { MarkupFacts } from './compile.ts'
import type { Needs } from './needs.ts'
import { decodePieces, escapeAstralCharacters, type Piece } from './pieces.ts'
import type { Values } from './values.ts'

/** Raised whenever the form of copies or what they mean changes: older ones are then baked anew. */
const FORMAT = 4

/** What the option `svc_frame_<id>_baked` holds: data, never markup again (decisions, section 7). */
export type BakedCopy = {
  readonly header: CopyHeader
  /** The pieces as `encodePieces` writes them; undefined where they were not read, or too many to be stored. */
  readonly body: string | undefined
}

/** All but the pieces: what tells whether a copy is still true, and what reports say of it. */
export type CopyHeader = {
  readonly format: number
  readonly closure: Closure
  readonly needs: Needs
  readonly facts: MarkupFacts
  /** Digest of the pieces. */
  readonly digest: string
  /** The pieces are stored with it: they are not too many. */
  readonly hasBody: boolean
  /** One for each language, or a single one for all. */
  readonly languages: readonly BakedLanguage[]
}

export type BakedLanguage = {
  /** Null where the language makes no difference. */
  readonly lang: string | null
  /** Digest of everything that went in. */
  readonly fingerprint: string
  readonly blocks: number
  /** Of finished HTML. */
  readonly bytes: number
  /** Waits for a page in some place. */
  readonly live: boolean
  /** Ids of the lists of menus in it. */
  readonly listIds: readonly string[]
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
}

/** A frame and all that it embeds, by what their markup was: the frame itself first. */
export type Closure = {
  readonly frames: readonly {
    readonly id: string
    readonly slug: string
    readonly sha256: string
  }[]
  /** Names that no frame bore. */
  readonly missing: readonly string[]
}

/** Well below the 16 MB that MariaDB takes for a statement by default, for the text is held several times while it is written. */
const MAX_BODY_BYTES = 7 * 1024 * 1024

/** Makes the copy of what was baked. */
export function createBakedCopy(
  header: Omit<CopyHeader, 'format' | 'hasBody'>,
  body: string,
): BakedCopy & { readonly body: string } {
  const hasBody = Buffer.byteLength(body) <= MAX_BODY_BYTES
  return { header: { format: FORMAT, hasBody, ...header }, body }
}

/** The text to store: the header on a line of its own, then the pieces, unless they are too many. */
export function encodeBakedCopy({ header, body }: BakedCopy): string {
  return `${escapeAstralCharacters(JSON.stringify(header))}\n${header.hasBody ? body : ''}`
}

/** The copy in an option's text; undefined for one that is missing, damaged or of another format. */
export function decodeBakedCopy(text: string | undefined): BakedCopy | undefined {
  const end = text?.indexOf('\n') ?? -1
  const header = decodeCopyHeader(text?.slice(0, end))
  return header && { header, body: header.hasBody ? text?.slice(end + 1) : undefined }
}

/** The header in the first line of an option's text; undefined as for the whole copy. */
export function decodeCopyHeader(line: string | undefined): CopyHeader | undefined {
  try {
    const header: CopyHeader | null = JSON.parse(line ?? '')
    return header?.format === FORMAT ? header : undefined
  } catch {
    return undefined
  }
}

/** What a copy has for pages in a language. One in a language that is gone is better shown in another one than not at all. */
export function languageIn(
  { languages }: CopyHeader,
  lang: string | null,
): BakedLanguage | undefined {
  return languages.find((baked) => baked.lang === lang) ?? languages[0]
}

/** What a copy holds for one of its languages; undefined where that isn't there or is damaged. */
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

/** The digest of what goes into one language's copy. */
export function fingerprint(closure: Closure, values: Values): string {
  return digest([FORMAT, closure, digestOf(values)])
}

const digests = new WeakMap<Values, string>()

/** The digest of the values, made once: a thousand frames may show the same menu of megabytes. */
function digestOf(values: Values): string {
  const held = digests.get(values) ?? digest(values)
  digests.set(values, held)
  return held
}

function digest(value: object): string {
  return sha256Hex(JSON.stringify(value))
}

/** Were both made of the same markup? */
export function isSameClosure(a: Closure, b: Closure): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
