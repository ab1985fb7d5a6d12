import { describeFailure } from '../../../changes/feed/feed-failure.ts'
import {
  type FeedSettings,
  findBlockingProblem,
  readFeedSettings,
  serverIdentity,
} from '../../../changes/feed/feed-server.ts'
import { type FeedState, readFeedState } from '../../../changes/feed/feed-state.ts'
import { type Db, openDatabase } from '../../../db/database.ts'
import { readRows } from '../../../db/sql.ts'
import { createLog } from '../../../host/log.ts'
import { type DoctorServices, found, ifTableMissing, type Problem } from '../finding.ts'
import { FEED_PRIVILEGE } from '../needed-rights.ts'

const ONE_DAY_SECONDS = 86_400

/** Checks that the database server and the account in FEED_DATABASE_URL allow the change feed, and that a process follows it. */
export async function checkFeed({
  feedUrl,
  db,
  globals,
}: Pick<DoctorServices, 'feedUrl' | 'db' | 'globals'>): Promise<Problem[]> {
  if (feedUrl === undefined) return []
  const feedDb = openDatabase({
    url: feedUrl,
    poolSize: 1,
    log: createLog('silent'),
    timings: db.timings,
  })
  try {
    const settings = await readFeedSettings(feedDb)
    const state = await readFeedState(db, globals).catch(ifTableMissing(undefined))
    return [
      ...findSettingProblems(settings, await readFeedSettings(db)),
      ...(await findPrivilegeProblems(feedDb)),
      ...findStateProblems(state),
    ]
  } catch (error) {
    return [
      unusable(
        `The change feed cannot connect. ${describeFailure(error).message}`,
        'Check the address, the user and the password in FEED_DATABASE_URL.',
      ),
    ]
  } finally {
    await feedDb.close()
  }
}

const unusable = (message: string, fixHint: string): Problem =>
  found('feed_unusable', message, { fixHint })

const setting = (message: string, impact: string, fixHint: string): Problem =>
  found('feed_setting', message, { impact, fixHint })

/**
 * What the settings of the server prevent.
 * @param feed those of the server in FEED_DATABASE_URL
 * @param database those of the server in DATABASE_URL
 */
export function findSettingProblems(feed: FeedSettings, database: FeedSettings): Problem[] {
  return [
    ...findServerProblems(feed, database),
    ...findBinlogProblems(feed),
    ...(feed.isMariaDb ? [] : findMySqlProblems(feed)),
    ...findExpiryProblems(feed),
  ]
}

function findServerProblems(feed: FeedSettings, database: FeedSettings): Problem[] {
  const blocking = findBlockingProblem(feed)
  if (blocking !== undefined) return [unusable(blocking.message, blocking.fixHint)]
  if (serverIdentity(feed) !== serverIdentity(database))
    return [
      unusable(
        `FEED_DATABASE_URL leads to another server (${serverIdentity(feed)}) than DATABASE_URL (${serverIdentity(database)}).`,
        'Set both to the same server.',
      ),
    ]
  if (isOn(feed, 'read_only'))
    return [
      setting(
        'The database server is read-only (read_only).',
        'The service cannot write. If the server is a replica, its binlog contains the writes of WordPress only with log_slave_updates=ON.',
        'Set DATABASE_URL and FEED_DATABASE_URL to the server that WordPress writes.',
      ),
    ]
  return []
}

const isOn = ({ values }: FeedSettings, name: string): boolean =>
  ['ON', '1'].includes(values.get(name) ?? '')

function findBinlogProblems({ values }: FeedSettings): Problem[] {
  const image = values.get('binlog_row_image') ?? 'FULL'
  if (image === 'FULL') return []
  return [
    setting(
      `The binlog does not contain whole rows (binlog_row_image=${image}).`,
      'For many edits the change feed knows the site and the table only, and it misses edits of network options.',
      'Set binlog_row_image=FULL.',
    ),
  ]
}

function findMySqlProblems(settings: FeedSettings): Problem[] {
  const { values } = settings
  const partial = values.get('binlog_row_value_options') ?? ''
  const problems: Problem[] = []
  if (values.get('enforce_gtid_consistency') !== 'ON')
    problems.push(
      found('feed_setting', 'Some transactions may have no GTID (enforce_gtid_consistency).', {
        fixHint: 'Set enforce_gtid_consistency=ON.',
      }),
    )
  if (!isOn(settings, 'binlog_order_commits'))
    problems.push(
      setting(
        'Transactions become visible in another order than in the binlog (binlog_order_commits=OFF).',
        'A page may be built before the edit that the change feed reported is visible; the next poll corrects it.',
        'Set binlog_order_commits=ON.',
      ),
    )
  if (partial !== '')
    problems.push(
      setting(
        `The binlog may contain parts of JSON values (binlog_row_value_options=${partial}).`,
        'The change feed cannot read them, and compares everything each time.',
        "Set binlog_row_value_options=''.",
      ),
    )
  return problems
}

/** 0 keeps the binlog for ever. */
function findExpiryProblems({ values }: FeedSettings): Problem[] {
  const days = Number(values.get('expire_logs_days') ?? 0)
  const seconds = Number(values.get('binlog_expire_logs_seconds') ?? days * ONE_DAY_SECONDS)
  if (seconds === 0 || seconds >= ONE_DAY_SECONDS) return []
  return [
    setting(
      `The binlog is deleted after ${seconds} seconds.`,
      'If no process follows the change feed for longer, everything is compared when one does again.',
      'Set binlog_expire_logs_seconds to 86400 or more; with MariaDB before 10.6, expire_logs_days.',
    ),
  ]
}

async function findPrivilegeProblems(feedDb: Db): Promise<Problem[]> {
  const grants = await readRows<Record<string, string>>(feedDb, 'SHOW GRANTS', {})
  const privileges = grants
    .flatMap((row) => Object.values(row))
    .flatMap((grant) => /^GRANT (.+) ON \*\.\* TO /.exec(grant)?.[1]?.split(/, ?/) ?? [])
  const isGranted = privileges.some((name) => SUFFICIENT_PRIVILEGES.has(name.toUpperCase()))
  if (isGranted) return []
  return [
    unusable(
      `The account in FEED_DATABASE_URL lacks the privilege ${FEED_PRIVILEGE}.`,
      'Run the statement that "wp-frames grants --for feed --user <account>" prints.',
    ),
  ]
}

const SUFFICIENT_PRIVILEGES = new Set(['ALL PRIVILEGES', FEED_PRIVILEGE])

function findStateProblems(state: FeedState | undefined): Problem[] {
  if (!state || state.isHealthy) return []
  const { owner, lagMs, error } = state
  const reason = error ? ` It failed ${error.secondsAgo} seconds ago: ${error.message}` : ''
  const what =
    owner === null
      ? `No process follows the change feed.${reason}`
      : lagMs === null
        ? 'A process follows the change feed, but has not received its own writes yet.'
        : `The change feed is ${Math.round(lagMs / 1000)} seconds behind.`
  return [found('feed_down', what)]
}
