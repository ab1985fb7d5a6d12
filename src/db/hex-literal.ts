/**
 * Bytes as a value of a statement, spelled `X'...'`. The driver would spell them the same and then look through every digit for
 * characters to escape: half the time that megabytes take.
 */
export function hexLiteral(bytes: Buffer): HexLiteral {
  return { toSqlString: () => `X'${bytes.toString('hex')}'` }
}

/** What the driver asks for its text instead of escaping it. */
export type HexLiteral = { readonly toSqlString: () => string }
