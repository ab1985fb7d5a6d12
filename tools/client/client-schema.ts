import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import type { clientDocument } from '../client-document.ts'

/** The text of `packages/client/src/schema.ts`: the types of the endpoints. */
export async function clientSchema(
  document: Awaited<ReturnType<typeof clientDocument>>,
): Promise<string> {
  const types = await openapiTypeScript(document as OpenAPI3, {
    alphabetize: true,
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
  })
  return astToString(types)
}
