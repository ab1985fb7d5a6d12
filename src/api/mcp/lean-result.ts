/**
 * A result without some of its fields.
 * @param paths the names of the fields, through lists: `total`, `frames.sha256`
 */
export function withoutFields<Value>(result: Value, paths: readonly string[]): Value {
  return paths.length === 0 ? result : (without(result, paths) as Value)
}

function without(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => without(element, paths))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (paths.includes(name)) return []
      const inner = paths.flatMap((path) =>
        path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
      )
      return [[name, inner.length > 0 ? without(member, inner) : member]]
    }),
  )
}
