import { z } from 'zod'
import type { ErrorCode } from '../../errors.ts'
import { type HeaderReferences, headerReferences } from './headers.ts'

/** How a site is named: in the path, or in the old ways (contract, section 9). */
export type Addressing = {
  readonly prefix: string
  /** Of its operations' names and tags. */
  readonly suffix: string
  readonly path: z.ZodRawShape
  readonly query: z.ZodRawShape
  readonly header: z.ZodRawShape
  readonly errors: readonly ErrorCode[]
  readonly headers: HeaderReferences
}

/** The current addressing, and the old one. */
export const ADDRESSINGS: readonly Addressing[] = [
  {
    prefix: '/site/{site_id}',
    suffix: '',
    path: {
      site_id: z
        .int()
        .positive()
        .meta({ description: 'Blog id of the site.', examples: [2] }),
    },
    query: {},
    header: {},
    errors: [],
    headers: {},
  },
  {
    prefix: '',
    suffix: 'OfChosenSite',
    path: {},
    query: {
      blog_id: z
        .int()
        .positive()
        .optional()
        .meta({
          description:
            'Chooses the site; may be a field of the body instead. Goes before all other ways.',
          examples: [2],
        }),
      domain: z
        .string()
        .optional()
        .meta({
          description:
            'Chooses the site by its host, or host and path; may be a field of the body instead. Without any way, the main site is chosen.',
          examples: ['net.test/shop'],
        }),
    },
    header: {
      'X-Svc-Blog-Id': z
        .int()
        .positive()
        .optional()
        .meta({
          description: 'Chooses the site; goes before `domain`.',
          examples: [2],
        }),
    },
    errors: ['insufficient_role'],
    headers: headerReferences('X-Svc-Blog-Source'),
  },
]
