import type { Command } from 'commander'
import type { Endpoint } from '../api/endpoint.ts'
import type { Effects } from '../effects.ts'
import { AppError } from '../errors.ts'
import type { AnswerOf, Service } from './call-endpoint.ts'
import { type CliContext, CommandError } from './cli-context.ts'
import { type Answers, type CalledEndpoint, runBatchEndpoint } from './endpoints.ts'
import { pathOf } from './remote/http-service.ts'
import { type AddressedSite, type SiteRef, siteOption } from './sites/site-options.ts'
import { describePending } from './summarize-effects.ts'
import { coloured, confirmOnTerminal, jsonLine, sanitizeForTerminal } from './terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from './with-service.ts'

/** The options that `addWriteOptions` adds to a command. */
export type ContentWriteOptions = EnvironmentOptions & {
  readonly site: SiteRef
  readonly dryRun?: true
  readonly yes?: true
  readonly user?: string
  readonly json?: true
}

/**
 * Adds the options of a command that writes one thing of a site.
 * @param request what it sends: `PATCH /site/<id>/frames/<ref>`
 */
export function addWriteOptions(command: Command, request: string): Command {
  command
    .addOption(siteOption().makeOptionMandatory())
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--user <login>', 'the author of what is written')
    .option(
      '--json',
      `print what ${request} answers; with --dry-run what POST /site/<id>/batch answers`,
    )
  return addEnvironmentOption(command)
}

/** What a command sends to an endpoint. */
type ContentWrite<Body extends object> = {
  readonly params: object
  readonly body?: object
  /** Asked on a terminal before it is sent. */
  readonly question?: string | undefined
  /** What it touches besides the thing itself, as lines for a reader who has not sent it yet. */
  readonly touches?: readonly string[]
  /** What it has done, as lines. */
  describe(answer: Body): readonly string[]
}

/**
 * Runs a command that writes: shows what it would do for `--dry-run`, and before a question; then sends the write and says what it has done.
 * @param prepare reads what the command needs, and makes the write
 * @throws CommandError if the answer is no, or if something could not be built
 */
export function runWrite<Body extends object>(
  context: CliContext,
  options: ContentWriteOptions,
  endpoint: CalledEndpoint<Endpoint & Answers<Body>>,
  prepare: (service: Service, site: AddressedSite) => Promise<ContentWrite<Body>>,
): Promise<void> {
  return withService(context, options, async (service) => {
    const site = await service.getSite(options.site)
    const userId = await service.getAuthorId(options.user)
    const write = await prepare(service, site)
    const { params, body, question, touches = [], describe } = write
    const { dryRun, yes, json } = options
    const isAsked = question !== undefined && !yes && process.stdin.isTTY
    if (dryRun || isAsked) {
      const planned = await planWrite(service, site, batchOf(endpoint, write), userId)
      const plan = json && dryRun ? jsonLine(planned) : formatPlanned(planned, touches)
      if (dryRun) return void process.stdout.write(plan)
      process.stderr.write(plan)
      await confirmOnTerminal(question ?? '')
    }
    const answer = await service.callSite(site, endpoint, { params, body }, userId)
    const { done, failures } = describeEffects(answer)
    process.stdout.write(json ? jsonLine(answer) : linesOf([...describe(answer), ...done]))
    if (failures.length > 0) throw new CommandError(failures.join('\n'))
  })
}

/** A request of a batch. */
export const batchRequest = ({ method, path }: CalledEndpoint, params: object, body?: object) => ({
  method: method.toUpperCase(),
  path: pathOf({ path }, params),
  body,
})

/** A write as a batch, unless it is one. */
const batchOf = <Body extends object>(
  endpoint: CalledEndpoint<Endpoint & Answers<Body>>,
  { params, body = {} }: Pick<ContentWrite<Body>, 'params' | 'body'>,
): object =>
  endpoint.path === runBatchEndpoint.path
    ? body
    : { requests: [batchRequest(endpoint, params, body)] }

/** Runs a batch as a dry run. */
async function planWrite(
  service: Service,
  site: AddressedSite,
  batch: object,
  userId: number,
): Promise<PlannedBatch> {
  return service
    .callSite(site, runBatchEndpoint, { body: { ...batch, dry_run: true } }, userId)
    .catch((error: unknown): never => {
      if (!(error instanceof AppError)) throw error
      // The operator has sent no batch.
      const [message = ''] = error.message.split(' This is the error of requests[')
      throw new AppError(error.code, message, { ...error.fields })
    })
}

type PlannedBatch = AnswerOf<typeof runBatchEndpoint>

function formatPlanned({ diffs = [] }: PlannedBatch, touches: readonly string[]): string {
  const things = diffs.map(
    ({ kind, name, ref, action, diff }) =>
      `${action} ${kind} ${name || ref}\n${diff.replace(HEADINGS, '$1').trimEnd()}\n`,
  )
  const text = things.length > 0 ? things.join('') : 'Nothing would change.\n'
  return coloured(`${sanitizeForTerminal(text)}${linesOf(touches)}`)
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
function describeEffects(answer: AnsweredEffects): {
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
