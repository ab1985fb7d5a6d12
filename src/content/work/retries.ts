import type { Db } from '../../db/database.ts'

/** Length of the messages that are stored with failed work, in characters. */
export const MAX_ERROR_LENGTH = 500

/** When work that has failed `tries` times is due again, in SQL with the values of `pausesOf`. */
export const NEXT_TRY =
  'NOW(6) + INTERVAL LEAST(:maxPauseMs, :pauseMs * POW(2, LEAST(tries, 20)) / 2) * 1000 MICROSECOND'

/** @param maxPauseMs the longest pause [`work.maxBackoffMs`] */
export const pausesOf = (
  { timings: { work } }: Pick<Db, 'timings'>,
  maxPauseMs = work.maxBackoffMs,
) => ({ pauseMs: work.backoffMs, maxPauseMs })
