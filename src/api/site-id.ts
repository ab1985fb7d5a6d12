import { z } from 'zod'

/** `site_id` in answers. */
export const siteId = z.int().meta({ description: 'The site that was served.', examples: [2] })
