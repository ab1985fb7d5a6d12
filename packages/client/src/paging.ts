import type { CallOptions, Calls, EndpointName, Input, Output } from './endpoint-types.ts'

type CursorField = 'next' | 'next_cursor'

/** The endpoints that return pages. */
export type PagedEndpointName = {
  [Name in EndpointName]: Extract<keyof Output<Name>, CursorField> extends never ? never : Name
}[EndpointName]

/** Reads page after page of an endpoint, each when it is asked for. */
export async function* readPages<Name extends PagedEndpointName>(
  calls: Calls,
  name: Name,
  input: Input<Name>,
  options?: CallOptions<Name>,
): AsyncGenerator<Output<Name>, void, undefined> {
  const read = calls[name] as (input: object, options?: object) => Promise<Output<Name>>
  for (let cursor: object | undefined = {}; cursor; ) {
    const page = await read({ ...input, ...cursor }, options)
    yield page
    cursor = cursorAfter(page)
  }
}

/** The parameter that asks for the next page; undefined after the last one. */
function cursorAfter(page: { [Field in CursorField]?: unknown }): object | undefined {
  if (page.next != null) return { after: page.next }
  return page.next_cursor == null ? undefined : { cursor: page.next_cursor }
}
