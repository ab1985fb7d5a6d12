import type { MarkupAnalyzer } from '../../frames/frame-markup.ts'
import { MarkupCache } from '../../plan/markup-cache.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { EndpointServices } from '../endpoint.ts'
import { analyzableMarkup } from '../frames/frame-request.ts'

type MarkupServices = Pick<EndpointServices, 'markupAnalyzer'> & { readonly site: Site }

/**
 * Analyzes the markup in a body before the transaction that writes it: large markup waits for a worker thread, and other writers of the site would wait
 * with it.
 * @param body of a write of a frame, or of a batch
 * @returns the analyzer for the transaction, which has the reports
 * @throws AppError `service_busy`
 */
export async function analyzeAhead(
  { markupAnalyzer, site }: MarkupServices,
  body: unknown,
): Promise<() => MarkupAnalyzer> {
  const cache = new MarkupCache(markupAnalyzer(site))
  for (const one of [body, ...bodiesOfBatch(body)]) {
    const html = isObject(one) ? analyzableMarkup(one) : undefined
    if (html !== undefined) await cache.analyze(html)
  }
  return () => cache
}

function bodiesOfBatch(body: unknown): unknown[] {
  const requests = isObject(body) && 'requests' in body ? body.requests : undefined
  if (!Array.isArray(requests)) return []
  return requests.map((request: unknown) =>
    isObject(request) && 'body' in request ? request.body : undefined,
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
