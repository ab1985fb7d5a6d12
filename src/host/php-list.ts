/** A list that PHP's `json_encode` has made an object of, because its keys have holes (`{"0": 3, "2": 7}`), in the order of its members; any other value as it is. */
export function listOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d{1,9}$/.test(key))
    ? Object.values(value)
    : value
}
