import { z } from 'zod'
import { PAGE_FAILURES } from '../../content/work/complete-work.ts'
import { WORK_KINDS } from '../../content/work/work.ts'
import {
  type FailingWork,
  MAX_LISTED_FAILURES,
  MAX_LISTED_SITES,
  readNetworkWork,
  readSiteWork,
} from '../../content/work/work-status.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { field, nullable } from '../described.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import {
  type NamedIds,
  NamesSchema,
  NetworkNamesSchema,
  readNamesForCaller,
  readNetworkNames,
} from '../names.ts'
import { pick } from '../pick.ts'

const CountsSchema = z.object({
  pages: z.int().describe('Pages whose static copies are to be published or removed.'),
  frames: field(
    z.int(),
    'Frames, and other things that were touched, such as menus. Which pages they change is known when they are built.',
  ),
  purges: z
    .int()
    .describe('Pages, or whole sites, that page caches are to purge by tag (`CACHE_PURGE`).'),
})

const SinceSchema = field(z.string(), 'When it was touched, GMT.', '2026-03-01 09:30:00')

/** What is not built yet, and since when. */
export const WorkStatusSchema = z.object({
  pending: CountsSchema.describe(
    'Everything that is not finished, including what is running and what is failing.',
  ),
  running: CountsSchema.describe('What a process builds now.'),
  failing: CountsSchema.describe('What has failed and is tried again.'),
  oldest: z
    .object({
      since: SinceSchema,
      age_s: z.int().describe('Seconds since then.'),
    })
    .nullable()
    .describe('What has waited longest; null if nothing is pending.'),
})

/** Work whose last attempt failed. */
const FailureSchema = z.object({
  kind: field(
    z.enum([...WORK_KINDS, 'purge']),
    '`page`: the static copy of a page. `frame`: a frame and its pages. `embeds`: the frames that embed a frame. `dataset`, `menus`, `pages`, `languages`, `settings`: the frames that show these. `outdated`: the frames that show what the name says, and pages whose static copies were made of another build of these. `all`: all frames. `copies`: the removal of copies that their pages no longer have. `purge`: the purge of a page, or of all pages of the site, from page caches by tag.',
    'page',
  ),
  name: field(
    z.string(),
    'Id of the page or frame, name of the dataset, or what is shown (`menus`, `dataset:news`); empty for other kinds and for the purge of a site.',
    '12',
  ),
  tries: z.int().describe('How many attempts have failed.'),
  error: nullable(
    z.string(),
    'Why the last one failed.',
    'The static copies of the site use all the space that they may.',
  ),
  code: nullable(
    z.enum(PAGE_FAILURES),
    'Why a page failed: `exposed`, visitors see what they must not; `unwritable`, its files; `purge`, a page cache refused; `outage`, the database or what keeps the static copies is away; `failed`, anything else. Null for other things.',
  ),
  since: SinceSchema,
  next_try_in_s: z.int().describe('Seconds until the next attempt; 0 if it is due or running.'),
})

const presentFailure = (failure: FailingWork) => pick(FailureSchema, failure)

/** The pages whose work fails. */
const pagesOf = (siteId: number, failures: readonly FailingWork[]): NamedIds['pages'] =>
  failures.flatMap(({ kind, name }) => (kind === 'page' ? [{ siteId, id: Number(name) }] : []))

const getWorkEndpoint = defineEndpoint({
  name: 'getWork',
  method: 'get',
  path: '/work',
  summary: 'Read which pages and frames are still to be built, and which fail',
  description:
    'A write waits for its effects up to `EFFECTS_BUDGET_MS`. What is not finished by then is built in the background, and the write is answered with `pending`. Everything is built when `pending` has no pages and no frames here, and visitors see it when it has no purges either; what fails is tried again by itself, after a longer time with each attempt.',
  response: z.object({
    ...WorkStatusSchema.shape,
    failures: z
      .array(FailureSchema)
      .max(MAX_LISTED_FAILURES)
      .describe(`What is failing, first what has failed longest; at most ${MAX_LISTED_FAILURES}.`),
    names: NamesSchema,
  }),
  async read(call) {
    const { db, site } = call
    const { failures, ...status } = await readSiteWork(db, site)
    const pages = pagesOf(site.blogId, failures)
    const names = await readNamesForCaller(call, { users: [], pages })
    return { ...pick(WorkStatusSchema, status), failures: failures.map(presentFailure), names }
  },
})

const getNetworkWorkEndpoint = defineEndpoint({
  on: 'network',
  name: 'getNetworkWork',
  method: 'get',
  path: '/work',
  summary: 'Read which sites are still to be built, and what fails on them',
  response: z.object({
    total: WorkStatusSchema,
    sites_total: z.int().describe('Sites with work.'),
    sites: z
      .array(
        z.object({
          site_id: z.int(),
          address: nullable(z.string(), 'Null for a site that was deleted.', 'net.test/shop'),
          ...WorkStatusSchema.shape,
        }),
      )
      .describe(`First the site that has waited longest; at most ${MAX_LISTED_SITES}.`),
    failures: z
      .array(FailureSchema.extend({ site_id: z.int() }))
      .describe(`First what has failed longest; at most ${MAX_LISTED_FAILURES}.`),
    names: NetworkNamesSchema,
  }),
  async read({ db, globals }) {
    const { total, siteCount, sites, failures } = await readNetworkWork(db, globals)
    const pages = failures.flatMap((failure) => pagesOf(failure.blogId, [failure]))
    return {
      total: pick(WorkStatusSchema, total),
      sites_total: siteCount,
      sites: sites.map(({ blogId, domain, path, ...status }) => ({
        site_id: blogId,
        address: domain === null ? null : siteAddress({ domain, path: path ?? '' }),
        ...pick(WorkStatusSchema, status),
      })),
      failures: failures.map((failure) => ({
        site_id: failure.blogId,
        ...presentFailure(failure),
      })),
      names: await readNetworkNames(db, globals, {
        users: [],
        pages,
        sites: failures.map(({ blogId }) => blogId),
      }),
    }
  },
})

export const endpoints: readonly Endpoint[] = [getWorkEndpoint, getNetworkWorkEndpoint]
