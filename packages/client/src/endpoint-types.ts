import type { OPERATIONS } from './operations.ts'
import type { operations } from './schema.ts'

/** The name of an endpoint, which is its `operationId` in the OpenAPI document. */
export type EndpointName = keyof typeof OPERATIONS

type JsonOf<T> = T extends { content: { 'application/json': infer Json } } ? Json : never

/** No fields, where an endpoint has no parameters of a kind. */
type FieldsOf<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>

type BodyOf<Name extends EndpointName> = JsonOf<NonNullable<operations[Name]['requestBody']>>

/** `body` is optional if none of its fields is required. */
type BodyField<Body> = [Body] extends [never]
  ? unknown
  : Record<never, never> extends Body
    ? { body?: Body }
    : { body: Body }

type Flatten<T> = { [Key in keyof T]: T[Key] }

/** What an endpoint takes: the parameters of its path and query, and `body`. */
export type Input<Name extends EndpointName> = Flatten<
  FieldsOf<operations[Name]['parameters']['path']> &
    FieldsOf<operations[Name]['parameters']['query']> &
    BodyField<BodyOf<Name>>
>

/** What an endpoint returns: the body of its response. */
export type Output<Name extends EndpointName> = JsonOf<operations[Name]['responses'][200]>

/** The options of one call. */
export type CallOptions<Name extends EndpointName = EndpointName> = {
  /** Ends the call, also while it waits to repeat a request. */
  readonly signal?: AbortSignal
  /** Headers of the endpoint, such as `If-Match`. A read has no conditions, because it returns the body; `client.http` sends them. */
  readonly headers?: NonNullable<operations[Name]['parameters']['header']> &
    (operations[Name]['responses'] extends { 304: unknown } ? { 'If-None-Match'?: never } : unknown)
}

/** One endpoint as a function. */
export type Call<Name extends EndpointName> =
  Record<never, never> extends Input<Name>
    ? (input?: Input<Name>, options?: CallOptions<Name>) => Promise<Output<Name>>
    : (input: Input<Name>, options?: CallOptions<Name>) => Promise<Output<Name>>

/** Every endpoint as a function. */
export type Calls = { readonly [Name in EndpointName]: Call<Name> }

type ErrorIn<Status, Json> = Json extends {
  success: false
  error: infer Code extends string
}
  ? { code: Code; status: Status; fields: Omit<Json, 'success' | 'error' | 'message'> }
  : Json extends { code: infer Code extends string; data: infer Data }
    ? { code: Code; status: Status; fields: Omit<Data, 'status'> }
    : never

type ErrorsOf<Responses> = {
  [Status in Exclude<keyof Responses, 200 | 304>]: ErrorIn<Status, JsonOf<Responses[Status]>>
}[Exclude<keyof Responses, 200 | 304>]

/** The errors of the service: code, status and fields of each. */
export type ErrorShape = {
  [Name in EndpointName]: ErrorsOf<operations[Name]['responses']>
}[EndpointName]
