import { newOwner } from '../../db/lease.ts'
import { LostLeaseError } from '../../db/tasks/tasks-table.ts'
import type { CopyStore, CopyWriter } from './copy-store.ts'

/** A writer without a builder that lasts longer than a moment may be taken for a leftover, and fenced. */
const ATTEMPTS = 5

/**
 * Changes copies of a site without being its builder. If the writer is fenced, all is done again with another one.
 * @throws LostLeaseError if each writer was fenced
 */
export async function withOwnWriter<T>(
  copies: CopyStore,
  site: number,
  change: (writer: CopyWriter) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const writer = await copies.begin(site, newOwner())
      try {
        return await change(writer)
      } finally {
        await writer.end()
      }
    } catch (error) {
      if (!(error instanceof LostLeaseError) || attempt === ATTEMPTS) throw error
    }
}
