import { AsyncLocalStorage } from 'node:async_hooks'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import {
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  type SpanOptions,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { traceHeaders, traceRequest } from '../../src/host/trace.ts'

const contexts = new AsyncLocalStorage<Context>()
const contextManager: ContextManager = {
  active: () => contexts.getStore() ?? ROOT_CONTEXT,
  with: (active, work, self, ...args) => contexts.run(active, () => work.call(self, ...args)),
  bind: (_, target) => target,
  enable: () => contextManager,
  disable: () => contextManager,
}

/** Of W3C Trace Context and Baggage, what the tests need. */
const propagator: TextMapPropagator = {
  extract: (parent, carrier) => {
    const [, traceId, spanId, flags] = String(Object(carrier).traceparent).split('-')
    if (traceId === undefined || spanId === undefined) return parent
    return trace.setSpanContext(parent, { traceId, spanId, traceFlags: Number(flags) })
  },
  inject: (active, carrier) => {
    const { traceId, spanId, traceFlags } = trace.getSpanContext(active) as SpanContext
    const traceparent = `00-${traceId}-${spanId}-0${traceFlags}`
    Object.assign(Object(carrier), { traceparent, tracestate: 'a=b', baggage: 'c=d' })
  },
  fields: () => [],
}

const begun: { readonly options: SpanOptions; readonly parent: SpanContext | undefined }[] = []
const startSpan = (_: string, options: SpanOptions = {}, parent = ROOT_CONTEXT) => {
  const from = trace.getSpanContext(parent)
  begun.push({ options, parent: from })
  const traceId = from?.traceId ?? '1'.repeat(32)
  return trace.wrapSpanContext({ traceId, spanId: '2'.repeat(16), traceFlags: 0 })
}
const tracer = { startSpan, startActiveSpan: () => expect.unreachable() }

context.setGlobalContextManager(contextManager)
propagation.setGlobalPropagator(propagator)
trace.setGlobalTracerProvider({ getTracer: () => tracer })
afterAll(() => {
  for (const one of [context, propagation, trace]) one.disable()
})
beforeEach(() => {
  begun.length = 0
})

const CLIENT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
const TRACEPARENT = `00-${CLIENT.traceId}-${CLIENT.spanId}-01`

/** Handles a request with this header. @returns what would go on to the executor */
function handle(isTrusted: boolean, traceparent?: string): Record<string, string> {
  const request = new IncomingMessage(new Socket())
  if (traceparent !== undefined) request.headers = { traceparent }
  let headers = {}
  traceRequest('api', isTrusted, request, new ServerResponse(request), () => {
    headers = traceHeaders()
  })
  return headers
}

it('a trusted client decides about the trace', () => {
  handle(true, TRACEPARENT)
  expect(begun).toMatchObject([{ parent: CLIENT, options: { links: [] } }])
})

it('any other client does not: its span is linked', () => {
  handle(false, TRACEPARENT)
  expect(begun).toMatchObject([{ parent: undefined, options: { links: [{ context: CLIENT }] } }])
})

it('a client without a trace has no link', () => {
  handle(false)
  expect(begun).toMatchObject([{ parent: undefined, options: { links: [] } }])
})

it('only `traceparent` goes on', () => {
  expect(handle(true, TRACEPARENT)).toEqual({
    traceparent: `00-${CLIENT.traceId}-${'2'.repeat(16)}-00`,
  })
})
