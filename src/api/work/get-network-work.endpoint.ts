import { z } from 'zod'
import { siteAddress } from '../../wordpress/network/site.ts'
import { MAX_LISTED_FAILURES, MAX_LISTED_SITES, readNetworkWork } from '../../work/work-status.ts'
import { defineEndpoint } from '../endpoint.ts'
import { NetworkNamesSchema, readNetworkNames } from '../names.ts'
import { pick } from '../pick.ts'
import { FailureSchema, pagesOf, WorkStatusSchema } from './get-work.endpoint.ts'

/** What is not built yet on any site. */
export const getNetworkWorkEndpoint = defineEndpoint({
  on: 'network',
  name: 'getNetworkWork',
  method: 'get',
  path: '/work',
  scope: 'read',
  summary: 'Read which sites are still to be built, and what fails on them',
  response: z.object({
    total: WorkStatusSchema,
    sites_total: z.int().describe('Sites with work.'),
    sites: z
      .array(
        z.object({
          site_id: z.int(),
          address: z
            .string()
            .nullable()
            .meta({
              description: 'Null for a site that was deleted.',
              examples: ['net.test/shop'],
            }),
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
      failures: failures.map(({ blogId, ...failure }) => ({ site_id: blogId, ...failure })),
      names: await readNetworkNames(db, globals, { users: [], pages }),
    }
  },
})
