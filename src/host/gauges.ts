import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'

/** Numbers of rows of the work table, and the age of the oldest one. */
export type WorkFigures = {
  readonly pending: number
  readonly failing: number
  readonly pendingPurges: number
  readonly failingPurges: number
  /** Pages that visitors see although they must not. */
  readonly exposed: number
  readonly oldestSeconds: number
}

/** The webhooks of all sites and of the network. */
export type WebhookFigures = {
  /** Enabled ones whose last try has failed. */
  readonly failing: number
  /** Those that the service has disabled. */
  readonly disabled: number
  /** Age of the oldest change that an enabled one has not received yet. */
  readonly oldestSeconds: number
}

/** The change feed of this process. */
export type FeedFigures = {
  readonly isUp: boolean
  readonly lagSeconds: number
}

/** The connections of a pool, see `Database.pools`. */
type PoolFigures = {
  readonly used: number
  readonly free: number
  readonly limit: number
  readonly waiting: number
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

/** The metrics that are read at each scrape. */
export class Gauges {
  protected readonly registry: Registry
  /** How long a scrape waits for the database, in milliseconds. */
  readonly #scrapeMs: number

  constructor(registry: Registry, scrapeMs: number) {
    this.registry = registry
    this.#scrapeMs = scrapeMs
  }

  /** Reports the versions of the program and of Node.js. */
  observeBuild(readVersion: () => Promise<string>): void {
    this.#gauge('build_info', 'The versions of this process; always 1', {
      labelNames: ['version', 'node'],
      read: async () => [[{ version: await readVersion(), node: process.versions.node }, 1]],
    })
  }

  /** Reports the parts that `/readyz` checks. */
  observeParts(read: () => Promise<ReadonlyMap<string, boolean>>): void {
    this.#gauge('readiness', 'Whether a part that /readyz checks is up', {
      labelNames: ['part'],
      read: async () =>
        [...((await withinTime(read(), this.#scrapeMs)) ?? [])].map(([part, isUp]) => [
          { part },
          Number(isUp),
        ]),
    })
  }

  /** Reports the change feed of this process at each scrape. */
  observeFeed(read: () => FeedFigures): void {
    const add = (name: string, help: string, figureOf: (figures: FeedFigures) => number): void =>
      this.#gauge(`feed_${name}`, help, { read: () => [[{}, figureOf(read())]] })
    add('up', 'Whether this process follows the change feed', ({ isUp }) => Number(isUp))
    add(
      'lag_seconds',
      'How long changes take to arrive and to be recorded',
      (feed) => feed.lagSeconds,
    )
  }

  /** Reports the sites whose edits this process cannot look for. */
  observeUnreadableSites(count: () => number): void {
    this.#gauge('unreadable_sites', 'Sites that the last round of the poll could not read', {
      read: () => [[{}, count()]],
    })
  }

  /** Reports whether this process cannot use the tables of pending work. */
  observeBlockedWork(isBlocked: () => boolean): void {
    this.#gauge(
      'work_blocked',
      'Whether this process cannot use the tables of pending work, so that it builds nothing',
      { read: () => [[{}, Number(isBlocked())]] },
    )
  }

  /** Reports the use of the pools at each scrape. */
  observePools(use: () => Readonly<Record<string, PoolFigures>>): void {
    const add = (
      name: string,
      help: string,
      samplesOf: (pool: string, figures: PoolFigures) => Sample[],
    ): void =>
      this.#gauge(name, help, {
        labelNames: ['pool', 'state'],
        read: () => Object.entries(use()).flatMap(([pool, figures]) => samplesOf(pool, figures)),
      })
    add(
      'db_connections',
      'Database connections of a pool in use and free, and reads and transactions that wait for one',
      (pool, { used, free, waiting }) =>
        Object.entries({ used, free, waiting }).map(([state, count]) => [{ pool, state }, count]),
    )
    add('db_connections_limit', 'Most connections of a pool', (pool, { limit }) => [
      [{ pool }, limit],
    ])
  }

  /** Reports when the first token that is in use expires; no sample if none does. */
  observeTokens(read: () => Promise<Date | undefined>): void {
    this.#gauge(
      'token_expiry_timestamp_seconds',
      'When the first token that was used in the last 30 days expires, as a Unix time',
      {
        read: async () => {
          const expiry = await withinTime(read(), this.#scrapeMs)
          return expiry ? [[{}, expiry.getTime() / 1000]] : []
        },
      },
    )
  }

  /** Reports the work of all sites. It is read once for each scrape; if it cannot be read, the scrape has no samples of it. */
  observeWork(read: () => Promise<WorkFigures>): void {
    const add = this.#fromOneRead(read)
    add('work_pending', 'Pages and frames that are not built yet', ({ pending }) => pending)
    add('work_failing', 'Pages and frames whose last build failed', ({ failing }) => failing)
    add('purges_pending', 'Purges by tag that are not sent yet', (work) => work.pendingPurges)
    add(
      'purges_failing',
      'Purges by tag that failed and are sent again',
      (work) => work.failingPurges,
    )
    add('exposed_pages', 'Pages that visitors see although they must not', ({ exposed }) => exposed)
    add('work_oldest_seconds', 'Age of the oldest pending work', (figures) => figures.oldestSeconds)
  }

  /** Reports the webhooks of all sites and of the network, like `observeWork`. */
  observeWebhooks(read: () => Promise<WebhookFigures>): void {
    const add = this.#fromOneRead(read)
    add('webhooks_failing', 'Webhooks whose last try failed', ({ failing }) => failing)
    add('webhooks_disabled', 'Webhooks that were disabled after failures', (all) => all.disabled)
    add(
      'webhooks_oldest_seconds',
      'Age of the oldest change that an enabled webhook was not sent',
      (figures) => figures.oldestSeconds,
    )
  }

  /** Adds gauges whose figures are read once for each scrape. */
  #fromOneRead<Figures>(
    read: () => Promise<Figures>,
  ): (name: string, help: string, figureOf: (figures: Figures) => number) => void {
    let reading: Promise<Figures | undefined> | undefined
    const readOnce = (): Promise<Figures | undefined> => {
      reading ??= withinTime(read(), this.#scrapeMs).finally(() => {
        reading = undefined
      })
      return reading
    }
    return (name, help, figureOf) =>
      this.#gauge(name, help, {
        read: async () => {
          const figures = await readOnce()
          return figures ? [[{}, figureOf(figures)]] : []
        },
      })
  }

  /** A gauge whose samples are read at each scrape. What is not read any more is not sent. */
  #gauge(
    name: string,
    help: string,
    {
      labelNames = [],
      read,
    }: {
      readonly labelNames?: string[]
      readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
    },
  ): void {
    const gauge: Gauge = new Gauge({
      name: `wp_frames_${name}`,
      help,
      labelNames,
      registers: [this.registry],
      collect: async () => {
        const samples = await read()
        gauge.reset()
        for (const [labels, value] of samples) gauge.set(labels, value)
        if (samples.length === 0) gauge.remove()
      },
    })
  }
}

/** The result of a read; undefined if it fails or takes too long. */
async function withinTime<T>(reading: Promise<T>, ms: number): Promise<T | undefined> {
  const controller = new AbortController()
  const { signal } = controller
  const timeout = sleep(ms, undefined, { signal }).catch(() => undefined)
  try {
    return await Promise.race([reading.catch(() => undefined), timeout])
  } finally {
    controller.abort()
  }
}
