import { randomBytes } from 'node:crypto'
import { type CopyStore, type CopyWriter, LostLeaseError } from './copy-store.ts'

/** A claim without work that takes longer than a moment may be taken for a leftover, and fenced. */
const ATTEMPTS = 5

/**
 * Changes copies of a site under a claim that has no recorded work. If the claim is fenced, all is done again under another one.
 * @throws LostLeaseError if each claim was fenced
 */
export async function withOwnWriter<T>(
  copies: CopyStore,
  site: number,
  change: (writer: CopyWriter) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const writer = await copies.begin(site, randomBytes(8).toString('hex'))
      try {
        return await change(writer)
      } finally {
        await writer.end()
      }
    } catch (error) {
      if (!(error instanceof LostLeaseError) || attempt === ATTEMPTS) throw error
    }
}
