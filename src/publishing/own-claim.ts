import { randomBytes } from 'node:crypto'
import { type CopyClaim, type CopyTarget, LostLeaseError } from './copy-target.ts'

/** A claim without work that takes longer than a moment may be taken for a leftover, and fenced. */
const ATTEMPTS = 5

/**
 * Changes copies of a site under a claim that has no recorded work. If the claim is fenced, all is done again under another one.
 * @throws LostLeaseError if each claim was fenced
 */
export async function withOwnClaim<T>(
  target: CopyTarget,
  site: number,
  change: (claim: CopyClaim) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const claim = await target.openClaim(site, randomBytes(8).toString('hex'))
      try {
        return await change(claim)
      } finally {
        await claim.end()
      }
    } catch (error) {
      if (!(error instanceof LostLeaseError) || attempt === ATTEMPTS) throw error
    }
}
