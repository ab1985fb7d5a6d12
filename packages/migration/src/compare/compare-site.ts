import { z } from 'zod'
import { parseBody } from './compare-answers.ts'
import { type AskSides, type ComparedRequests, RequestComparison } from './compare-requests.ts'
import {
  type ComparedRequest,
  dataRequests,
  everyRequest,
  findingsRequest,
  listRequests,
  networkRequests,
  type SiteToCompare,
  sampleRequests,
  type WriteProbes,
} from './compared-request.ts'
import type { ComparedAnswer } from './difference.ts'
import { maskTimes } from './mask-times.ts'
import { contentsIn } from './site-contents.ts'

/** Requests of one site that each side is sent at most, unless every resource is compared. */
export const MAX_SITE_REQUESTS = 15

export type SiteComparisonOptions = {
  /** Every resource, each asked for twice. */
  readonly deep: boolean
  readonly probes: WriteProbes
  /** Between requests: the comparison of the site ends with its reason. */
  readonly signal: AbortSignal
}

/** The old endpoint has stored what it was asked to try only. */
export class DryRunIgnoredError extends Error {
  override readonly name = 'DryRunIgnoredError'
  readonly request: string

  constructor({ method, path }: ComparedRequest) {
    super('the old endpoint ignores dry_run')
    this.request = `${method} ${path}`
  }
}

/**
 * Compares a site on both sides.
 * @throws DryRunIgnoredError; errors of `ask`; the reason of the signal
 */
export async function compareSite(
  site: SiteToCompare,
  ask: AskSides,
  { deep, probes, signal }: SiteComparisonOptions,
): Promise<ComparedRequests> {
  const budget = deep
    ? { most: Number.POSITIVE_INFINITY, twice: true }
    : { most: MAX_SITE_REQUESTS }
  const comparison = new RequestComparison(asserting(ask, signal), budget)
  const lists = listRequests(site)
  const frames = await comparison.compare(lists.frames)
  const menus = await comparison.compare(lists.menus)
  if (!frames || !menus) return comparison.result()
  const contents = contentsIn(frames, menus)
  const requests = (deep ? everyRequest : sampleRequests)(site, contents, probes)
  for (const request of requests) await comparison.compare(request)
  await comparison.confirm()
  if (deep) return comparison.result()
  // What is left of the budget is for further menus, with one request to confirm what differs in them.
  for (const request of dataRequests(site, contents).slice(1)) {
    if (comparison.left < 2) break
    await comparison.compare(request)
    await comparison.confirm()
  }
  return comparison.result()
}

const FindingsSchema = z.object({
  findings: z.array(z.object({ check: z.string(), message: z.string() })),
})

/**
 * Sentences about menus with items that a plugin of WordPress hides from some visitors: both sides answer the same, but pages of wp-frames show these items
 * to everybody. Empty if the token may not ask for findings.
 */
export async function findHiddenItems(
  site: SiteToCompare,
  { ours }: Pick<AskSides, 'ours'>,
): Promise<readonly string[]> {
  const { body } = await ours(findingsRequest(site))
  const { data } = FindingsSchema.safeParse(parseBody(body).value)
  const hidden = data?.findings.filter(({ check }) => check === 'item_hidden_by_plugin') ?? []
  return hidden.map(({ message }) => message)
}

/** Compares what both sides answer without a site, or without a token: once in a run. */
export async function compareNetwork(
  site: SiteToCompare,
  ask: AskSides,
  signal: AbortSignal,
): Promise<ComparedRequests> {
  const comparison = new RequestComparison(asserting(ask, signal), {
    most: Number.POSITIVE_INFINITY,
  })
  for (const request of networkRequests(site)) await comparison.compare(request)
  await comparison.confirm()
  return comparison.result()
}

function asserting(ask: AskSides, signal: AbortSignal): AskSides {
  return {
    pauseMs: ask.pauseMs,
    old: async (request) => {
      signal.throwIfAborted()
      const answer = await ask.old(request)
      if (request.kind === 'dry_run' && isApplied(answer)) throw new DryRunIgnoredError(request)
      return withoutNow(request, answer)
    },
    ours: async (request) => withoutNow(request, await ask.ours(request)),
  }
}

/** A dry run answers when it would have written: at the next second, on the other side. */
function withoutNow<Answer extends ComparedAnswer>(
  { kind }: ComparedRequest,
  answer: Answer,
): Answer {
  if (kind !== 'dry_run') return answer
  const text = Buffer.from(answer.body).toString()
  return { ...answer, body: Buffer.from(String(maskTimes(text, new Date()))) }
}

/** Whether a dry run was stored: its answer says so. */
function isApplied({ status, body }: ComparedAnswer): boolean {
  const { value } = parseBody(body)
  if (status > 299 || typeof value !== 'object' || value === null) return false
  const [applied, updated, dryRun] = ['applied', 'updated', 'dry_run'].map((name) =>
    Reflect.get(value, name),
  )
  return applied === true || (updated === true && applied !== false && dryRun !== true)
}
