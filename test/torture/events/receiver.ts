import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { ChangeEvent } from '../../../src/changes/events/event.ts'
import { freePort } from '../../support/free-port.ts'
import { positionOf } from './event-faults.ts'

/** How a receiver answers its next message: the status, after so many milliseconds; undefined never. */
export type Behaviour = () => { readonly status: number; readonly ms: number } | undefined

/** The body of a message. */
type Message = {
  readonly data: {
    readonly since: string
    readonly cursor: string
    readonly events_total: number
    readonly events: readonly ChangeEvent[]
  }
}

/** A receiver of webhooks that records what it has accepted. */
export class Receiver {
  readonly name: string
  readonly url: string
  /** Accepted events in the order of their first arrival. */
  readonly events: ChangeEvent[] = []
  /** For each of them its time, just before the commit, in milliseconds since 1970, and how much later it arrived. */
  readonly arrivals: { readonly at: number; readonly ms: number }[] = []
  readonly faults: string[] = []
  /** Id of its webhook. */
  webhookId = 0
  /** Number of events of all accepted messages, also of those that they do not list. */
  total = 0
  /** The cursor at the end of the last accepted message. */
  cursor = ''
  readonly #port: number
  readonly #behaviour: Behaviour
  readonly #ids = new Set<string>()
  readonly #seen = new Set<string>()
  #repeated = 0
  #deaths = 0
  #refused = 0
  #verifier: Webhook | undefined
  #server: Server | undefined

  /** Makes one that does not listen yet. */
  static async make(name: string, behaviour: Behaviour): Promise<Receiver> {
    return new Receiver(name, behaviour, await freePort())
  }

  private constructor(name: string, behaviour: Behaviour, port: number) {
    this.name = name
    this.url = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`
    this.#port = port
    this.#behaviour = behaviour
  }

  /** What it got, for the report. */
  get summary(): string {
    return `${this.total} changes in ${this.#ids.size} messages, ${this.#repeated} of them again; ${this.#refused} refused; away ${this.#deaths} times`
  }

  /** The secret with which messages must be signed. */
  set secret(secret: string) {
    this.#verifier = new Webhook(secret)
  }

  /** Listens, each time at the same address. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#receive(request, response))
    this.#server = server
    await new Promise<void>((done) => server.listen(this.#port, '127.0.0.1', done))
  }

  /** Ends all connections, also those of messages that were not answered. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    this.#deaths += 1
    const ended = new Promise((done) => server.close(done))
    server.closeAllConnections()
    await ended
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => '')
    const answer = this.#behaviour()
    if (!answer) return
    await sleep(answer.ms)
    // It was stopped meanwhile.
    if (response.destroyed || !this.#server) return
    if (answer.status < 300) this.#accept(request, body)
    else this.#refused += 1
    response.writeHead(answer.status).end()
  }

  #accept({ headers }: IncomingMessage, body: string): void {
    try {
      this.#verifier?.verify(body, headers as Record<string, string>)
    } catch (error) {
      this.#fault(`got a message with a wrong signature: ${error}`)
    }
    const { data }: Message = JSON.parse(body)
    const id = String(headers['webhook-id'])
    // After a kill, what was accepted comes again, perhaps with more behind it.
    if (positionOf(data.since) > positionOf(this.cursor) && this.cursor !== '')
      this.#fault(`got ${id}, which begins at ${data.since}, after ${this.cursor}`)
    if (positionOf(data.cursor) <= positionOf(this.cursor)) this.#repeated += 1
    else this.cursor = data.cursor
    if (!this.#ids.has(id)) this.total += data.events_total
    this.#ids.add(id)
    const now = Date.now()
    for (const event of data.events) {
      if (this.#seen.has(event.id)) continue
      this.#seen.add(event.id)
      this.events.push(event)
      const at = Date.parse(`${event.at.replace(' ', 'T')}Z`)
      this.arrivals.push({ at, ms: now - at })
    }
  }

  #fault(sentence: string): void {
    this.faults.push(`the ${this.name} ${sentence}`)
  }
}
