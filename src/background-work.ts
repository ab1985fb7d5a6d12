import { CopyScrub } from './build/executor/copy-scrub.ts'
import type { Builder } from './builder.ts'
import { ChangePoller } from './changes/change-poller.ts'
import type { ChangeWatch } from './changes/events/change-watch.ts'
import { ChangeFeed, type ChangeFeedOptions } from './changes/feed/change-feed.ts'
import type { OnChanges } from './changes/feed/changed-sites.ts'
import { isFeedHealthy } from './changes/feed/feed-state.ts'
import { recordReportedEdits } from './changes/record-reported-edits.ts'
import { UnreadableSites } from './changes/unreadable-sites.ts'
import { pruneDeliveries } from './changes/webhooks/deliveries-table.ts'
import type { WebhookSender } from './changes/webhooks/webhook-sender.ts'
import { WebhookWorker } from './changes/webhooks/webhook-worker.ts'
import {
  deleteFormerSecrets,
  deleteWebhooksOfGoneSites,
  nameOfWebhookTask,
} from './changes/webhooks/webhooks-table.ts'
import type { Roles } from './cli/cli-context.ts'
import { buildsPages } from './cli/readiness-checks.ts'
import { prunePlannedWrites } from './content/planned-writes/planned-writes-table.ts'
import { SITE_TASK } from './content/work/due-work.ts'
import { purgeTask } from './content/work/purges.ts'
import type { Database } from './db/database.ts'
import { type Prunable, pruneTask, pruneTasks } from './db/tasks/prune-task.ts'
import { TaskRunner } from './db/tasks/task-runner.ts'
import type { Lifetime } from './host/concurrency/lifetime.ts'
import { BYTES_PER_MB, type Config, maxSiteBytesOf } from './host/config/config.ts'
import type { Log } from './host/log.ts'
import type { Metrics } from './host/metrics.ts'
import { FolderWatch, RestoreWatch } from './network/identity/folder-watch.ts'
import { pruneRuns } from './network/plan/prune-runs.ts'
import { RunWorker, type RunWorkerOptions } from './network/plan/run-worker.ts'
import { nameOfRunTask } from './network/plan/runs-table.ts'
import { pruneHistory } from './record/history/prune-history.ts'
import { pruneAnswers } from './record/idempotency/kept-answers.ts'
import { TableSurvey } from './wordpress/health/survey-tables.ts'
import type { GlobalTables } from './wordpress/network/site.ts'

export type BackgroundServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly metrics: Metrics | undefined
  readonly builder: Builder
  readonly life: Lifetime
  readonly changes: ChangeWatch
  readonly webhookSender: WebhookSender
}

/** Starts what a process with these roles does without a request. It ends with the life of the process. */
export function startBackgroundWork(
  config: Config,
  roles: Roles,
  { builder, life, ...services }: BackgroundServices,
): void {
  const { db, globals, log, metrics, changes, webhookSender: sender } = services
  const { watchSeconds } = config
  const { executor, copies, identities, tagPurges } = builder
  const unreadable = new UnreadableSites(log)
  metrics?.observeUnreadableSites(() => unreadable.count)
  const isBuilding = buildsPages(config, roles)
  // With EXECUTOR_URL, this process builds nothing: an executor finds the work of its runs.
  const wake = isBuilding ? executor.wake : () => {}
  const edits = { ...services, unreadable, wake }
  const tasks = life.addLoop('tasks', new TaskRunner({ db, globals, log }))
  if (isBuilding) {
    executor.start()
    if (tagPurges) tasks.addSource(tagPurges)
    life.addLoop('survey of tables', new TableSurvey(services))
  }
  const onChanges: OnChanges = (changes) => recordReportedEdits(edits, changes)
  const feed = openFeed(config, roles, { ...services, onChanges })
  if (feed) tasks.add(feed)
  // Only processes that build pages compare the folder with the database, its copies with their records, and what other programs have edited.
  if (isBuilding && copies) {
    const { pageCachePurge, scrubPagesPerMinute: pagesPerMinute } = config
    const options = { ...edits, copies, identities, pageCachePurge, tagPurges, pagesPerMinute }
    life.addLoop('restore watch', new RestoreWatch(options))
    tasks.add(new FolderWatch(options))
    tasks.add(new CopyScrub(options))
    if (watchSeconds > 0) {
      const health = feed ? { isFeedHealthy: () => isFeedHealthy(db, globals) } : {}
      const intervalMs = watchSeconds * 1000
      tasks.add(new ChangePoller({ ...edits, ...health, intervalMs }))
    }
  }
  if (roles.front) void builder.hosts.prepare()
  if (roles.api) {
    tasks.addSource(new RunWorker(runWorkerOptions(config, { ...edits, builder })))
    const sending = { db, globals, log, metrics, changes, sender, identities }
    const webhooks = new WebhookWorker(sending)
    webhooks.onChange(tasks.addSource(webhooks))
    const intervalMs = db.timings.db.pruneIntervalMs
    tasks.add(pruneTask({ prunables: prunablesOf(config, db, globals), log, intervalMs }))
  }
}

/** The options of a worker of this process. */
export function runWorkerOptions(
  config: Config,
  {
    db,
    globals,
    log,
    builder,
    wake,
  }: Pick<BackgroundServices, 'db' | 'globals' | 'log' | 'builder'> &
    Pick<RunWorkerOptions, 'wake'>,
): RunWorkerOptions {
  const analyzer = builder.bakery.analyzerFor('runs')
  return { db, globals, log, analyzer, maxSiteBytes: maxSiteBytesOf(config), wake }
}

/** Old entries of the history and events, and answers, runs and planned writes that are no longer kept. */
function prunablesOf(
  { historyDays, historyMbPerSite }: Config,
  db: Database,
  globals: GlobalTables,
): readonly Prunable[] {
  const retention = {
    days: historyDays || undefined,
    bytesPerSite: historyMbPerSite * BYTES_PER_MB || undefined,
  }
  return [
    {
      rows: 'entries of the history, and events',
      prune: (signal) => pruneHistory(db, globals, retention, { now: new Date(), signal }),
    },
    {
      rows: 'answers to requests with an Idempotency-Key',
      prune: (signal) => pruneAnswers(db, globals, signal),
    },
    {
      rows: 'tasks',
      prune: (signal) => {
        const names = [nameOfRunTask('%'), nameOfWebhookTask('%'), purgeTask('%'), `${SITE_TASK}%`]
        return pruneTasks(db, globals, names, signal)
      },
    },
    { rows: 'runs', prune: (signal) => pruneRuns(db, globals, { now: new Date(), signal }) },
    { rows: 'planned writes', prune: (signal) => prunePlannedWrites(db, globals, signal) },
    {
      rows: 'former secrets of webhooks',
      prune: () => deleteFormerSecrets(db, globals),
    },
    {
      rows: 'webhooks of deleted sites',
      prune: (signal) => deleteWebhooksOfGoneSites(db, globals, signal),
    },
    {
      rows: 'deliveries to webhooks',
      prune: (signal) => pruneDeliveries(db, globals, signal),
    },
  ]
}

/** Only processes that build pages follow the change feed. Undefined for others, and without FEED_DATABASE_URL. */
export function openFeed(
  config: Config,
  roles: Roles,
  services: Omit<ChangeFeedOptions, 'feedUrl'>,
): ChangeFeed | undefined {
  const { staticDir, staticStore, feedDatabaseUrl: feedUrl } = config
  const hasCopies = staticDir !== undefined || staticStore !== undefined
  if (!hasCopies || feedUrl === undefined || !buildsPages(config, roles)) return undefined
  return new ChangeFeed({ ...services, feedUrl })
}
