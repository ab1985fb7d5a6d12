import { z } from 'zod'

/** A secret that is sent in a header or signs requests. */
export const secret = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'may contain printable ASCII characters without spaces only')
    .optional()

/** The keys of Amazon's interfaces: of a store of static copies, and of CloudFront. */
export const AWS_KEYS = {
  AWS_ACCESS_KEY_ID: secret(),
  AWS_SECRET_ACCESS_KEY: secret(),
  AWS_SESSION_TOKEN: secret(),
}
