import { z } from 'zod'
import { AppError } from '../../host/errors.ts'
import { describeSite, type Spend } from '../../network/description/describe-site.ts'
import { OWNERSHIPS } from '../../network/description/desired-site.ts'
import { joinSites } from '../../network/description/join-sites.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'

/** A description of one site, as `joinSites` makes it: a narrower form of what a plan takes. */
const SiteDescriptionSchema = z
  .object({
    version: z.literal(1),
    name: z.string().meta({ examples: ['site-2'] }),
    manages: z
      .enum(OWNERSHIPS)
      .describe('`named`: what the description does not name is left alone.'),
    bundles: z.record(
      z.string(),
      z.object({
        frames: z.array(
          z.object({ slug: z.string(), html: z.string(), formerly: z.array(z.string()) }),
        ),
        menus: z
          .array(z.looseObject({ name: z.string(), slug: z.string() }))
          .describe('Like menu files, with locations and items.'),
        pages: z
          .array(
            z.object({
              path: z.string().describe('Empty for the front page.'),
              lang: z.string().optional(),
              frame: z.string().nullable(),
            }),
          )
          .describe('The pages with a frame.'),
        variables: z.record(z.string(), z.string()).describe('The data set `variables`.'),
      }),
    ),
    sites: z.array(
      z.object({
        match: z.object({ id: z.array(z.int()).optional() }),
        bundles: z.array(z.string()),
        variables: z.record(z.string(), z.string()),
      }),
    ),
  })
  .meta({ id: 'SiteDescription', description: 'The body of `POST /network/plans`.' })

const getSiteDescriptionEndpoint = defineEndpoint({
  name: 'getSiteDescription',
  method: 'get',
  path: '/description',
  summary: 'Read what the site has, as a description that a plan brings back',
  description:
    'All frames and menus, the locations of menus, the frames of pages, and the variables, at one moment. A super administrator brings the site back to it with `POST /network/plans`, with `"refuses": "nothing"` also if its markup has errors.',
  response: z.object({
    description: SiteDescriptionSchema,
    notes: z
      .array(z.string())
      .describe('What the site has and the description does not contain, one sentence each.'),
  }),
  errors: ['description_too_large'],
  async read({ db, site, examinations, caller }) {
    const { blogId } = site
    // The operator writes it to files, which may be larger.
    const spend = caller.isOperator ? undefined : budget(db.timings.api.examinationMs)
    const { bundle, notes } = await examinations.run(String(blogId), () =>
      db.snapshot((snapshot) => describeSite(snapshot, site, spend)),
    )
    const description = joinSites(`site-${blogId}`, new Map([[blogId, bundle]]))
    return { description, notes }
  },
})

/** Stops a reading that is too large or too long: the caller decides how much there is. */
function budget(maxMs: number): Spend {
  const begin = performance.now()
  let bytes = 0
  return (json) => {
    bytes += Buffer.byteLength(json)
    const isLate = performance.now() - begin > maxMs
    if (bytes <= MAX_LARGE_BODY_BYTES && !isLate) return
    const reason = isLate
      ? `takes more than ${maxMs / 1000} seconds to read`
      : `has more than ${MAX_LARGE_BODY_BYTES} bytes as JSON, which is the most that a plan takes`
    throw new AppError(
      'description_too_large',
      `The site ${reason}. Use "wp-frames init" with DATABASE_URL, which has no limit.`,
      { max_bytes: MAX_LARGE_BODY_BYTES },
    )
  }
}

export const endpoints: readonly Endpoint[] = [getSiteDescriptionEndpoint]
