import { createHash } from 'node:crypto'
import type { Needs } from './needs.ts'
import type { Piece } from './pieces.ts'
import type { Unresolved } from './program.ts'
import type { Values } from './values.ts'

/** Raised whenever the form of pieces or what they mean changes: older copies are then baked anew. */
const FORMAT = 1

/** What the option `svc_frame_<id>_baked` holds: data, never markup again (decisions, section 7). */
export type BakedCopy = {
  readonly format: number
  /** The frames it was made of, and the names that no frame bore. */
  readonly closure: Closure
  readonly needs: Needs
  /** By language; under '' where the language makes no difference. */
  readonly languages: Readonly<Record<string, BakedLanguage>>
}

export type BakedLanguage = {
  /** Digest of everything that went in. */
  readonly fingerprint: string
  readonly pieces: readonly Piece[]
  readonly unresolved: readonly Unresolved[]
  readonly warnings: readonly string[]
}

/** A frame and all that it embeds, by what their markup was: the frame itself first. */
export type Closure = {
  readonly frames: readonly {
    readonly id: string
    readonly slug: string
    readonly sha256: string
  }[]
  readonly missing: readonly string[]
}

/** The text to store. */
export function encodeBakedCopy(copy: Omit<BakedCopy, 'format'>): string {
  return JSON.stringify({ format: FORMAT, ...copy })
}

/** The copy in an option's text; undefined for one that is missing, damaged or of another format. */
export function decodeBakedCopy(text: string | undefined): BakedCopy | undefined {
  if (text === undefined) return undefined
  try {
    const copy: BakedCopy = JSON.parse(text)
    return copy.format === FORMAT ? copy : undefined
  } catch {
    return undefined
  }
}

/** The digest of what goes into one language's copy. */
export function fingerprint(closure: Closure, values: Values): string {
  return createHash('sha256')
    .update(JSON.stringify([FORMAT, closure, values]))
    .digest('hex')
}

/** Were both made of the same markup? */
export function isSameClosure(a: Closure, b: Closure): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
