import { z } from 'zod'
import type { Caller } from '../../auth/authenticate.ts'
import type { TokenScope } from '../../auth/token-scopes.ts'
import type { Database } from '../../db/database.ts'
import type { ErrorCode } from '../../errors.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import {
  type DocumentedEndpoint,
  type ResponseOf,
  type ResponseSchema,
  validate,
  withSuccess,
} from '../endpoint.ts'
import { MAX_BODY_BYTES } from '../request-body.ts'

/** One call of an endpoint of the network by a super administrator. */
type NetworkCall<Params, Query, Body> = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly caller: Caller
  readonly now: () => Date
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** An endpoint below `/network`, for super administrators whose token has no limits on sites. */
export type NetworkEndpoint = DocumentedEndpoint & {
  handle(call: NetworkCall<unknown, unknown, unknown>): Promise<object>
}

type Definition<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Response extends ResponseSchema,
> = Pick<DocumentedEndpoint, 'name' | 'method' | 'path' | 'summary' | 'description'> & {
  readonly scope: TokenScope
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly example?: z.input<Body>
  /** Maximum size of the body, in bytes; default: `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number
  readonly response: Response
  readonly errors?: readonly ErrorCode[]
  handle(
    call: NetworkCall<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): Promise<ResponseOf<Response>>
}

const EMPTY_OBJECT = z.object({})

/** Defines an endpoint of the network, like `defineEndpoint`. */
export function defineNetworkEndpoint<
  Params extends z.ZodObject = typeof EMPTY_OBJECT,
  Query extends z.ZodObject = typeof EMPTY_OBJECT,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends ResponseSchema = z.ZodObject,
>(definition: Definition<Params, Query, Body, Response>): NetworkEndpoint {
  const { params = EMPTY_OBJECT, query = EMPTY_OBJECT, body, response, handle } = definition
  return {
    ...definition,
    ...{ params, query, body },
    errors: definition.errors ?? [],
    maxBodyBytes: definition.maxBodyBytes ?? MAX_BODY_BYTES,
    response: withSuccess(response),
    handle: async (call) => ({
      success: true,
      ...(await handle({
        ...call,
        params: validate(params, call.params, 'path') as z.output<Params>,
        query: validate(query, call.query, 'query') as z.output<Query>,
        body: (body && validate(body, call.body, 'body')) as z.output<Body>,
      })),
    }),
  }
}
