import type { Database } from '../../db/database.ts'
import { isDatabaseUnavailable } from '../../db/database-error.ts'
import type { Log } from '../../host/log.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { hasCopies } from './copies-table.ts'
import { type CopyStore, CopyTargetError, UnusableTargetError } from './copy-store.ts'
import type { NetworkIdentities } from './network-identity.ts'

/**
 * A process does not start with the copies of another network. A moved or copied database may have them, because the operator decides later; and what is
 * away may be back soon.
 * @throws UnusableTargetError
 */
export async function assertOwn(copies: CopyStore, identities: NetworkIdentities): Promise<void> {
  const ownership = copies.inspect(await identities.read()).catch((error: unknown) => {
    if (error instanceof UnusableTargetError || !(error instanceof CopyTargetError)) throw error
  })
  const foreign = (await ownership)?.foreign
  if (foreign !== undefined) throw new UnusableTargetError(foreign)
}

/**
 * Says at the start why no copies can be written. The process starts nevertheless, because the disk may be full or not mounted yet, and
 * existing copies are served.
 * @throws UnusableTargetError if that will not change by itself
 */
export async function checkWritable(copies: CopyStore, log: Log): Promise<void> {
  try {
    await copies.open()
    await copies.test()
  } catch (error) {
    if (error instanceof UnusableTargetError || isDatabaseUnavailable(error)) throw error
    log.error({ err: error }, 'static copies cannot be written')
  }
}

/** Says at the start of a process without copies that the network has some. */
export async function warnOfCopies(db: Database, globals: GlobalTables, log: Log): Promise<void> {
  if (await hasCopies(db, globals))
    log.warn(
      'the network has static copies, but STATIC_DIR is empty and STATIC_TARGET is not set: this process builds nothing, so that the copies do not become outdated. Set the one that the network uses, or run "wp-frames network forget-copies" if there are to be none any more',
    )
}
