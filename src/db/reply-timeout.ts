import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Connection } from 'mysql2'

/** The driver's connection and its socket. */
export type RawConnection = Connection & { readonly stream: Socket }

/**
 * The reply to a statement. TCP may take 15 minutes and more to notice a dead host. If no reply arrives within `replyTimeoutMs`, the socket
 * is destroyed and the statement fails like one on a dropped connection.
 */
export async function withReplyTimeout<T>(
  { stream }: RawConnection,
  reply: Promise<T>,
  replyTimeoutMs: number,
): Promise<T> {
  const timer = setTimeout(() => stream.destroy(noReply(replyTimeoutMs)), replyTimeoutMs)
  try {
    return await reply
  } finally {
    clearTimeout(timer)
  }
}

/** The same for the next row of a streamed statement. The driver does not tell a stream that its connection is lost. */
export function limitSilence(
  { stream }: RawConnection,
  rows: Readable,
  replyTimeoutMs: number,
): void {
  let reason: Error = connectionLost()
  const fail = (): void => void rows.destroy(reason)
  const timer = setTimeout(() => {
    // The reader may be slow, instead of the database.
    if (rows.readableLength > 0) return timer.refresh()
    reason = noReply(replyTimeoutMs)
    stream.destroy(reason)
  }, replyTimeoutMs)
  const end = (): void => {
    clearTimeout(timer)
    stream.off('close', fail)
  }
  stream.once('close', fail)
  rows.on('result', () => timer.refresh())
  for (const event of ['end', 'error', 'close']) rows.once(event, end)
}

export const connectionLost = (): Error =>
  Object.assign(new Error('the connection to the database was lost'), {
    code: 'PROTOCOL_CONNECTION_LOST',
  })

export const noReply = (ms: number): Error =>
  Object.assign(new Error(`the database sent no reply within ${ms / 1000} s`), {
    code: 'ETIMEDOUT',
  })
