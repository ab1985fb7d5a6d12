import { decodeHTMLStrict } from 'entities'

/** A name as people read it: the inverse of the encoding that `menuName` and KSES store. */
export const decodeName = (stored: string): string => decodeHTMLStrict(stored)
