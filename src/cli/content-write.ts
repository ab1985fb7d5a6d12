import {
  batchRequest,
  type Client,
  type EndpointName,
  type Input,
  isServiceError,
  type Output,
} from '#client'
import { describeCounts } from '../content/work/describe-work.ts'
import type { Effects } from '../host/effects.ts'
import { type CliContext, CommandError } from './cli-context.ts'
import { findSite } from './sites/find-sites.ts'
import type { AddressedSite, SiteRef } from './sites/site-options.ts'
import { coloured, confirmOnTerminal, jsonLine, sanitizeForTerminal } from './terminal.ts'
import { type EnvironmentOptions, type Service, withService } from './with-service.ts'

/** The options of a command that writes one thing of a site. */
export type ContentWriteOptions = EnvironmentOptions & {
  readonly site: SiteRef
  readonly dryRun?: true
  readonly yes?: true
  readonly user?: string
  readonly json?: true
}

/** What a command sends to an endpoint. */
type ContentWrite = {
  /** Without the site. */
  readonly input: object
  /** Asked on a terminal before it is sent. */
  readonly question?: string | undefined
  /** What it touches besides the thing itself, as lines for a reader who has not sent it yet. */
  readonly touches?: readonly string[]
  /** What it has done, as lines. */
  describe(answer: WriteAnswer): readonly string[]
}

/** What every write answers. */
type WriteAnswer = AnsweredEffects & { readonly warnings: readonly string[] }

/**
 * Runs a command that writes: shows what it would do for `--dry-run`, and before a question; then sends the write and says what it has done.
 * @param prepare reads what the command needs, and makes the write
 * @throws CommandError if the answer is no, or if something could not be built
 */
export function runWrite(
  context: CliContext,
  options: ContentWriteOptions,
  name: EndpointName,
  prepare: (client: Client, site: AddressedSite) => Promise<ContentWrite>,
): Promise<void> {
  const work = async ({ client }: Service): Promise<void> => {
    const site = await findSite(client, options.site)
    const { input, question, touches = [], describe } = await prepare(client, site)
    const { dryRun, yes, json } = options
    const isAsked = question !== undefined && !yes && process.stdin.isTTY
    if (dryRun || isAsked) {
      const planned = await planWrite(client, site, name, input)
      const plan = json && dryRun ? jsonLine(planned) : formatPlanned(planned, touches)
      if (dryRun) return void process.stdout.write(plan)
      process.stderr.write(plan)
      await confirmOnTerminal(question ?? '')
    }
    const write = client[name] as (sent: object) => Promise<WriteAnswer>
    const answer = await write({ site_id: site.blogId, ...input })
    const { done, failures } = describeEffects(answer)
    process.stdout.write(json ? jsonLine(answer) : linesOf([...describe(answer), ...done]))
    if (failures.length > 0) throw new CommandError(failures.join('\n'))
  }
  return withService(context, options, work, { author: options.user })
}

/** Runs a write as a dry run: within a batch, unless it is one, because that has the differences. */
async function planWrite(
  client: Client,
  { blogId }: AddressedSite,
  name: EndpointName,
  input: object,
): Promise<PlannedBatch> {
  const batch =
    name === 'runBatch'
      ? (input as Input<'runBatch'>).body
      : { requests: [batchRequest(name as 'deleteFrame', input as { ref: string })] }
  try {
    return await client.runBatch({ site_id: blogId, body: { ...batch, dry_run: true } })
  } catch (error) {
    if (!isServiceError(error)) throw error
    // The operator has sent no batch.
    const [message = ''] = error.message.split(' This is the error of requests[')
    throw new CommandError(message)
  }
}

type PlannedBatch = Output<'runBatch'>

function formatPlanned({ diffs = [] }: PlannedBatch, touches: readonly string[]): string {
  const things = diffs.map(
    (thing) =>
      `${thing.action} ${thing.kind} ${nameOf(thing)}\n${thing.diff.replace(HEADINGS, '$1').trimEnd()}\n`,
  )
  const text = things.length > 0 ? things.join('') : 'Nothing would change.\n'
  return coloured(`${sanitizeForTerminal(text)}${linesOf(touches)}`)
}

/** An assignment has the name of its frame, and its page as a reference: `header, page 12 (Terms)`. */
function nameOf({ kind, name, ref, titles }: NonNullable<PlannedBatch['diffs']>[number]): string {
  if (kind !== 'assignment') return name || ref
  const title = titles?.[`page ${ref}`]
  return `${name}, page ${ref}${title === undefined ? '' : ` (${title})`}`
}

/** The headings of a diff: the line before it says what they would say. */
const HEADINGS = /(^|\n)--- before\n\+\+\+ after\n/

const linesOf = (lines: readonly string[]): string =>
  sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))

/** The fields with which writes report their effects. */
type AnsweredEffects = Partial<Pick<Effects, 'bake' | 'rebaked' | 'pending'>> & {
  readonly republish?: { readonly status: string; readonly message?: string }
}

/** What was built, and what could not be built. */
export function describeEffects(answer: AnsweredEffects): {
  readonly done: readonly string[]
  readonly failures: readonly string[]
} {
  const { bake, rebaked, republish, pending } = answer
  const built = rebaked?.frames.filter((frame) => frame.bake === 'baked') ?? []
  const failed = rebaked?.frames.filter((frame) => frame.bake === 'failed') ?? []
  const isFailed = republish?.status === 'failed' || republish?.status === 'unavailable'
  return {
    done: [
      ...(built.length > 0 ? [`Baked again: ${built.map(({ slug }) => slug).join(', ')}.`] : []),
      ...(republish?.message !== undefined && !isFailed ? [republish.message] : []),
      ...(pending ? [describePending(pending)] : []),
    ],
    failures: [
      ...(bake?.status === 'failed' ? [`The bake failed: ${bake.message}`] : []),
      ...(rebaked?.message === undefined ? [] : [`No frame was baked: ${rebaked.message}`]),
      ...failed.map(({ slug, detail }) => `The bake of "${slug}" failed: ${detail}`),
      ...(isFailed ? [`Stored, but not published: ${republish.message ?? republish.status}`] : []),
    ],
  }
}

/** `1,850 pages are pending: wp-frames work --wait`. */
function describePending({ pages, frames }: NonNullable<Effects['pending']>): string {
  const verb = pages + frames === 1 ? 'is' : 'are'
  return `${describeCounts({ pages, frames, purges: 0 })} ${verb} pending: wp-frames work --wait`
}
