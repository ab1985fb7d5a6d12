import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TimeInput,
  trace,
} from '@opentelemetry/api'

// Spans of OpenTelemetry. Without an SDK, which an operator adds with `--import`, its API does nothing.

const tracer = trace.getTracer('wp-frames')

export type SpanOptions = {
  readonly attributes?: Attributes
  /** When it began [now]. */
  readonly startTime?: TimeInput
}

/**
 * Runs `work` in a span. Its error ends the span, by its class or code: messages may contain content of sites.
 * @param name one of few: no id or path
 */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => T | Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, options)
  try {
    return await context.with(trace.setSpan(context.active(), span), work, undefined, span)
  } catch (error) {
    span.setAttribute('error.type', errorTypeOf(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

function errorTypeOf(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code')
  if (typeof code === 'string') return code
  return error instanceof Error ? error.name : 'error'
}

/**
 * Handles a request to a part of the service in a span by the conventions for HTTP servers. The span has no path and no query: they may contain secrets.
 * @param isTrusted whether it continues the trace of its client (`traceparent`), who then decides whether it is recorded. Otherwise it begins a trace, with a link to the
 * client's span
 */
export function traceRequest(
  part: string,
  isTrusted: boolean,
  request: IncomingMessage,
  response: ServerResponse & { readonly locals?: { readonly route?: unknown } },
  handle: () => void,
): void {
  const method = request.method ?? 'GET'
  const sent = propagation.extract(ROOT_CONTEXT, request.headers)
  const parent = isTrusted ? sent : ROOT_CONTEXT
  const sender = isTrusted ? undefined : trace.getSpanContext(sent)
  const links = sender ? [{ context: sender }] : []
  const attributes = { 'http.request.method': method, 'wp_frames.part': part }
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes, links }, parent)
  if (span.isRecording())
    response.once('close', () => {
      const route = response.locals?.route
      if (typeof route === 'string')
        span.updateName(`${method} ${route}`).setAttribute('http.route', route)
      const { statusCode } = response
      if (response.headersSent) span.setAttribute('http.response.status_code', statusCode)
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
  context.with(trace.setSpan(parent, span), handle)
}

/** The headers that continue the current trace in another process; none without a trace. What a client has sent besides (`tracestate`, `baggage`) stays here. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  const { traceparent } = headers
  return traceparent === undefined ? {} : { traceparent }
}

/** Runs what does not belong to the current trace. */
export function withoutTrace<T>(work: () => T): T {
  return context.with(ROOT_CONTEXT, work)
}

/** The ids of the current trace, for the log. */
export function traceIds(): { readonly trace_id?: string; readonly span_id?: string } {
  const spanContext = trace.getSpanContext(context.active())
  return spanContext && trace.isSpanContextValid(spanContext)
    ? { trace_id: spanContext.traceId, span_id: spanContext.spanId }
    : {}
}
