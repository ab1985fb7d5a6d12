/**
 * Every interval, lease, pause and time limit of the service, by module, as it is in production. It is given to `openServices`; the database carries
 * it (`db.timings`), so functions that have a `Db` or `Tx` need no parameter for it. The unit is in each name.
 * What operators choose is in the configuration, and what others fix (HTTP caching, units of time) is a constant where it is used.
 */
const PRODUCTION = {
  db: {
    /** How long a request waits for a connection of the pool. */
    acquireTimeoutMs: 5000,
    /** Longest establishment of a connection to the server. */
    connectTimeoutMs: 5000,
    /** How long a statement waits for a row or table lock [the server's defaults are 50 seconds for rows and a day for tables]. Failed attempts of a transaction are repeated for as long. */
    lockWaitSeconds: 10,
    /** Time limit for the reply to one statement: longer than one waits for a lock. */
    replyTimeoutMs: 15_000,
    /** Maximum wait of a writer for a connection. */
    writeWaitMs: 10_000,
    /** Longest pause before the second attempt at a transaction. It doubles with each further attempt. */
    retryPauseMs: 20,
    /** How long a transaction that has read may stay open without use. */
    openMs: 200,
    /** How long a statement of a preview waits for a lock. */
    previewLockWaitSeconds: 2,
    /** How long it runs, with that: so much later than its own time limit a preview may end. MySQL limits statements that only read. */
    previewStatementSeconds: 3,
    /** A worker whose transaction is idle for longer was stopped; its lease ends as soon. */
    idleWorkSeconds: 2,
    /** A process that stops within a client's write must not lock the site for ever. Between two statements a write computes for a moment only. */
    idleWriteSeconds: 300,
    /** No lease is longer. A later due time shows that the clock of the database was set back: the lease has ended. */
    longestLeaseMs: 60_000,
    /** How long a process relies on what it has seen of a site's tables before a write, which takes 2 ms; and of texts in other character sets than UTF-8. */
    tablesKnownMs: 500,
    textsKnownMs: 60_000,
    /** Pause between two rounds that delete what is no longer kept. */
    pruneIntervalMs: 3_600_000,
  },
  threads: {
    /** Maximum run time of a job. A job that exceeds it is stopped. Time in the queue does not count. */
    jobMs: 30_000,
    /** Maximum time that a job waits for a thread. */
    jobWaitMs: 60_000,
    /** How long idle threads stay, with their compiled programs. A thread takes about 40 MB and starts within 0.1 s. */
    idleMs: 10_000,
  },
  tasks: {
    /** How long a process has a task without renewal. After a crash another process continues after this time. */
    leaseMs: 3000,
    /** How often a process looks for tasks that are due. */
    lookMs: 1000,
    /** Pause before the look that follows the end of a task: more may be due. */
    againMs: 20,
    /** Pause after the first failure of a task. It doubles with each further one. */
    pauseMs: 500,
    maxPauseMs: 30_000,
    /** No task rests longer. A later due time shows that the clock of the database was set back: the task is due. */
    longestPauseMs: 3_600_000,
    /** After how many days a row that a killed process has left is deleted. */
    leftoverDays: 1,
  },
  work: {
    /** How long a builder has a site without renewal. After a crash the work of the process continues elsewhere after this time. */
    leaseMs: 2000,
    /** Pause after the first failure of work. It doubles with each further one. */
    backoffMs: 2000,
    /** Maximum pause before the next try of failed work. No row is delayed for twice as long: a later due time shows that the clock of the database was set back. */
    maxBackoffMs: 300_000,
    /** Maximum pause before the next try of a page whose copy the target of the static copies refuses for the moment: 5 seconds after a store is back, all pages are true. */
    temporaryPauseMs: 2000,
    /** Pause before what a builder gave back is due again. */
    returnedPauseMs: 1000,
  },
  executor: {
    /** A rebake that is called again within this time continues where the last call stopped. */
    rebakeRoundMs: 600_000,
    /** Pause between two look-ups of due work. */
    pollMs: 500,
    /** Longest pause between two looks at work that another process does. */
    followMs: 100,
    /** Timeout of the wake-up of an executor that is apart. It answers before it works. */
    wakeMs: 5000,
    /** All pages are verified once more after this time: tables that are still being loaded belong to the restored state too. */
    verifyAgainMs: 60_000,
    /** Pause between two looks at the folder of the static copies. */
    folderLookMs: 2000,
    /** Pause before a pass of a move that waits for copies. */
    movePauseMs: 1000,
  },
  scrub: {
    /** Pause before the next try while the target of the static copies is away. */
    awayMs: 1000,
    /** Pause between two batches. */
    batchPauseMs: 12_000,
    /** A round takes at least so long. */
    roundMs: 60_000,
  },
  poller: {
    /** Pause between two rounds while the feed reports edits. */
    intervalWithFeedMs: 600_000,
    /** While a round is not due, the state of the feed is read this often. */
    feedCheckMs: 2000,
  },
  tagPurges: {
    /** How long a command sends what it has recorded before it ends. */
    lastRoundMs: 10_000,
  },
  publishing: {
    /** How long what was read about the identity of the network is used again. */
    identityKeptMs: 5000,
    /** Timeout of one purge by address. */
    addressPurgeMs: 2000,
    /** Timeout of one purge by tag. */
    tagPurgeMs: 10_000,
    /** A page cache that asks for a longer pause is asked again after this time. */
    maxRetryAfterMs: 300_000,
    /** The pause after a refusal that names none. */
    busyMs: 5000,
  },
  store: {
    /** How long a request waits for others. */
    waitMs: 60_000,
    /** Longest silence of the store. */
    silenceMs: 10_000,
    /** Longest silence of the store while a visitor waits. */
    urgentSilenceMs: 2000,
    /** Pause before the second attempt; it doubles. */
    pauseMs: 200,
    /** Longest pause that a store can ask for. */
    maxPauseMs: 5000,
    /** How long the store is not asked after it did not answer: visitors do not wait for it again and again. */
    awayMs: 5000,
    /** Some stores, such as Cloudflare R2, refuse more than one write of a key in a second. */
    rewriteMs: 1000,
    /** How long the marker object is not read again. */
    markerKeptMs: 2000,
    /** A clock that differs by so much is reported. Amazon's store refuses requests at 900. */
    maxSkewSeconds: 300,
    /** No request is signed later than this after the database was asked whether the claim is open. */
    confirmedMs: 5000,
    /** How long keys are used before their source is asked again: other programs replace keys that expire. */
    credentialsKeptMs: 60_000,
    /** How long a request can arrive after its signature: stores accept a signature for 15 minutes. */
    signatureMs: 960_000,
  },
  feed: {
    /** A feed that is further behind does not replace the poll. */
    healthyLagMs: 30_000,
    /** A session that is further behind reports once that everything may have changed. */
    lagMs: 60_000,
    /** Pause after a failure that an operator has to end. */
    permanentPauseMs: 60_000,
    /** Longest silence of the binlog stream; the server sends a heartbeat five times in it. */
    silenceMs: 10_000,
  },
  sites: {
    /** How long the checksum of one site runs that could not be read with others. */
    checksumSeconds: 1,
    /** How long one statement on several sites runs. A site that another program has locked delays the others by no more. */
    manySeconds: 1,
    /** How long a statement on one site runs. */
    siteSeconds: 5,
  },
  hosts: {
    /** Lifetime of the cached hosts: an edit that did not increase the version of the network has an effect after a minute. */
    keptMs: 60_000,
    /** Cached hosts that are in use are read again in the background after this time, so that no request waits for those of ten thousand sites. */
    refreshMs: 40_000,
    /** How long unknown hosts cost nothing after a check of the version. */
    checkedMs: 500,
  },
  objectCache: {
    /** Maximum wait for a connection and for a reply of the cache. */
    timeoutMs: 1000,
    /** Time between the two invalidations of a key. A PHP request that read a row just before the commit may cache it afterwards; after this time it has. */
    secondPassMs: 1000,
    /** Pause between two attempts to reach an unreachable cache. */
    retryMs: 2000,
    /** Pause before the client connects again; it grows with each attempt. */
    reconnectMs: 200,
    maxReconnectMs: 5000,
    /** A timer may fire slightly early. */
    slackMs: 20,
    /** Interval for checking the table for keys of processes that ended before they invalidated them. */
    idleMs: 60_000,
  },
  events: {
    /** Pause between two looks for changes while somebody waits for them. */
    lookMs: 250,
    /** Pause after a look that failed. */
    failurePauseMs: 2000,
    /** How long a request may wait for a change. */
    maxWaitSeconds: 30,
    /** After how many seconds a refused request may be sent again. */
    retrySeconds: 15,
    /** Pause between two comments that keep a stream open. With each, the token is checked again. */
    heartbeatMs: 15_000,
    /** A stream is closed if its client receives nothing for this long. */
    slowClientMs: 30_000,
    /** Clients of a stream wait this long before they connect again, and up to twice as long, so that not all come back at once. */
    reconnectMs: 1000,
  },
  webhooks: {
    /** How long a process has a webhook without renewal. After a crash another process continues after this time. */
    leaseMs: 6000,
    /** Pause between two looks whether there are webhooks. */
    idleMs: 5000,
    /** Longest wait for a change. */
    waitMs: 30_000,
    /** The pauses after failed tries, those of the specification: 75 hours in all. After the last one the webhook is disabled. */
    retrySeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    /** Pause after an error of this service: the receiver may have the message already. */
    errorPauseMs: 5000,
    /** A receiver that takes longer for a message is slow: it counts as one that has failed, and others come after each message. */
    slowMs: 2000,
    /** How long a process that stops waits for messages in progress; the others are sent again by another one. */
    stopMs: 5000,
    /** Timeout of a try; the specification wants 15 to 30 seconds. */
    sendTimeoutMs: 20_000,
    /** Longest wait for the answer of one name server. */
    lookupMs: 2000,
    /** How long a lookup that has failed is not repeated: less than the first pause after a failed try, which would fail for nothing. */
    failedNameMs: 3000,
    /** How long a message that a user sends by hand waits for others. */
    byHandWaitMs: 10_000,
    /** A receiver that asks for a longer pause is tried again after this time. */
    maxRetryAfterMs: 86_400_000,
    /** How long the former secret signs as well after a rotation. */
    rotationHours: 24,
    /** How long deliveries are kept. */
    keptDeliveryDays: 30,
  },
  plan: {
    /** How long a process has a run without renewal. */
    leaseMs: 6000,
    /** Older runs are deleted, except the last one of each description and site, which drift is compared with. */
    keptRunDays: 90,
    /** Time for all diffs of markup in a plan. */
    diffsMs: 30_000,
  },
  plannedWrites: {
    /** How long a planned write can be applied. */
    keptMinutes: 60,
  },
  idempotency: {
    /** How long an answer is kept. */
    keptHours: 24,
    /** Pause between two looks at an answer that is not final. */
    pollMs: 100,
    /** How long a repetition waits for a final answer beyond the budget for effects. */
    graceMs: 1000,
  },
  auth: {
    /** The window of rate limits. */
    windowSeconds: 60,
    /** How long to wait for a reply of Redis: counting must not delay requests. */
    redisReplyMs: 500,
    /** Pause before another connection to Redis; it grows with each attempt. */
    redisPauseMs: 200,
    redisMaxPauseMs: 5000,
    /** The use of a token is recorded once in this time. */
    recordIntervalMs: 60_000,
    /** Days since the last use of a token in which somebody still needs it. */
    neededDays: 30,
    /** Days after the last acceptance of a token by the old endpoint in which it must be accepted again. */
    askedTokenDays: 30,
    /** Minutes after which the old endpoint is asked again about a token that is used. */
    maxCheckAgeMinutes: 5,
    /** Minutes for which a token that it has accepted is used while it does not answer. */
    maxUncheckedMinutes: 60,
    /** How long a refusal is remembered. */
    refusedSeconds: 60,
    /** Seconds for which nothing is asked after a question without an answer: about the token, or for the address, unless nothing answers at all. */
    askPauseSeconds: 10,
    /** How long a question waits for others. */
    askWaitMs: 5000,
  },
  legacy: {
    /** Longest time of one question about a token. */
    askMs: 5000,
    /** Longest time of the look at the old endpoint at the start. */
    lookMs: 5000,
    /** How long a token that the old endpoint has accepted has a slot of its own. */
    acceptedTokenMs: 3_600_000,
    /** Pause between two looks whether the begin of a body has arrived. */
    bodyLookMs: 10,
    /** How long a request waits until it is passed on. */
    waitMs: 10_000,
    /** While others wait, a client must send or read so much in this time that it may keep its slot (`MIN_BYTES`). */
    slowMs: 2500,
  },
  api: {
    /** How long the requests of a batch may take: meanwhile, other writers of the site wait. */
    batchMs: 10_000,
    /** Pause between two looks at work that is still done. */
    buildPollMs: 25,
    /** A read that takes longer than this counts as long. */
    longReadMs: 50,
    /** Maximum time that a read waits. */
    readWaitMs: 10_000,
    /** Maximum time that a preview or check of a user waits for another one. */
    userWaitMs: 10_000,
    /** Maximum time that an examination waits. */
    examinationWaitMs: 10_000,
    /** How long an examination begins with further checks. */
    examinationMs: 30_000,
    /** How long a request begins with further fixes, and waits for what they build. */
    fixingMs: 10_000,
    /** How long a preview may take: meanwhile, writers of the site in other processes wait; for those in this one it gives way. A statement that runs then delays its end by up to `db.previewStatementSeconds`. */
    previewMs: 5000,
  },
  http: {
    headersTimeoutMs: 10_000,
    /** Until a request is complete. */
    requestTimeoutMs: 60_000,
    /** Interval at which the limits of connections are checked. */
    checkIntervalMs: 2000,
    /** How long a stopping server waits for requests that are in transit on idle connections. */
    graceMs: 500,
    /** Interval at which it then closes connections that have become idle. */
    sweepMs: 100,
    /** A connection is closed if its client receives nothing of a pending response for this long. */
    unsentTimeoutMs: 30_000,
  },
  process: {
    /** How long a process may take from a stop signal to its end: longer than a request may take, see `HttpServer.stop`. */
    stopLimitMs: 70_000,
    /** How long it waits at its end for the reader of the log. */
    logWaitMs: 2000,
  },
  health: {
    /** Timeout of a check of `/readyz`. */
    checkTimeoutMs: 2000,
    /** How long a result is cached. Probes need no token and must not cause load. */
    keptMs: 1000,
    /** How long a scrape waits for the database: longer than a check of `/readyz`. Without its figures, the others are sent all the same. */
    scrapeMs: 2500,
  },
  diff: {
    /** Time for all differences in one answer. */
    answerMs: 3000,
  },
  doctor: {
    /** An item is created before it is added to its menu, so a recent item without a menu is not orphaned yet. */
    orphanedItemMs: 3_600_000,
    /** How long a restore is reported. */
    restoreDays: 7,
    /** Days before the expiry of a token from which on it is reported. */
    expiryDays: 14,
    /** A builder takes due work within a second, unless it is busy with other sites. */
    stuckSeconds: 60,
  },
  compare: {
    /** Pause before a resource whose rows changed is asked for again, by attempt. */
    pauseMs: 200,
    /** How long a side may take to answer. */
    answerMs: 60_000,
    /** Pause before a request is sent again that got no answer. */
    resendMs: 500,
    /** The wait without a `Retry-After` that can be read, and the longest one. */
    retryAfterSeconds: 5,
    maxRetryAfterSeconds: 120,
    /** A write waits so long until everything is built: the answers are compared. */
    effectsMs: 60_000,
  },
  cli: {
    /** Pause between two reads of the work. */
    workPollMs: 250,
    /** The longest pause between two looks at a run; the first ones are shorter. */
    runPollMs: 1000,
    /** How long a command waits for pages that nobody builds. */
    idleWorkMs: 30_000,
    /** How long the service may take to answer with its metrics. */
    metricsMs: 5000,
    /** An editor may write a file in several steps. */
    settleMs: 100,
  },
}

export type Timings = {
  readonly [Group in keyof typeof PRODUCTION]: Readonly<(typeof PRODUCTION)[Group]>
}

/** The values of production. */
export const TIMINGS: Timings = PRODUCTION
