const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Parses JSON like `JSON.parse`, but reads an integer that JavaScript would round as a text of its digits, up to 64 bits, as PHP's
 * `json_decode` reads it exactly. Beyond 64 bits, PHP rounds too.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // Most texts have no such number. The pattern needs valid JSON, which the first reading has proved.
  if (!/\d{16}/.test(text)) return value
  return JSON.parse(
    text.replace(STRING_OR_NUMBER, (token) => (isRounded(token) ? `"${token}"` : token)),
  )
}

function isRounded(token: string): boolean {
  if (!/^-?\d{16,19}$/.test(token) || Number.isSafeInteger(Number(token))) return false
  const integer = BigInt(token)
  return BigInt.asIntN(64, integer) === integer
}
