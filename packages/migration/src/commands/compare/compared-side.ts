import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '#wp-frames/cli/cli-context'
import type { Timings } from '#wp-frames/host/timings'
import type { ComparedRequest, TimedAnswer } from '../../compare/compared-request.ts'
import type { ComparedAnswer } from '../../compare/difference.ts'
import { RequestPace } from './request-pace.ts'

/** An endpoint that is compared. */
export type SideAddress = {
  /** How messages call it: `the old endpoint`, `wp-frames`. */
  readonly name: string
  /** The option that names it: `--old`. */
  readonly option: string
  /** What sets its token. */
  readonly tokenOption: string
  /** Without a slash at the end. */
  readonly url: string
  readonly token: string
}

/** How often a request is sent again that was refused for its rate. */
const MAX_REFUSALS = 20
/** A token that no endpoint has issued. */
const WRONG_TOKEN = `op_${'0'.repeat(64)}`

/** Sends requests to one side, at the pace that it allows. Follows no redirect, because the token would be sent to another address. */
export class ComparedSide {
  readonly address: SideAddress
  /** Routes with an answer that wp-frames itself has not given. */
  readonly foreign = new Set<string>()
  readonly #signal: AbortSignal
  readonly #timings: Timings['compare']
  readonly #pace: RequestPace
  readonly #maxAnswerBytes: number

  /** @param maxAnswerBytes longest answer, without compression */
  constructor(
    address: SideAddress,
    signal: AbortSignal,
    timings: Timings['compare'],
    onWait: (text: string) => void,
    maxAnswerBytes = MAX_COMPARED_ANSWER_BYTES,
  ) {
    this.address = address
    this.#signal = signal
    this.#timings = timings
    this.#maxAnswerBytes = maxAnswerBytes
    this.#pace = new RequestPace(signal, timings, (seconds) =>
      onWait(`${address.name} limits requests: waiting ${Math.ceil(seconds)} s`),
    )
  }

  /** @throws CommandError without an answer; the reason of the signal */
  async ask(request: ComparedRequest): Promise<TimedAnswer> {
    for (let refusals = 0; ; refusals += 1) {
      await this.#pace.wait()
      const answer = await this.#receive(request)
      if (!isOfWpFrames(answer)) this.foreign.add(request.route)
      this.#pace.observe(answer)
      if (answer.status !== 429 || refusals >= MAX_REFUSALS) return answer
    }
  }

  async #receive(request: ComparedRequest): Promise<TimedAnswer> {
    try {
      return await this.#send(request)
    } catch {
      this.#signal.throwIfAborted()
      await sleep(this.#timings.resendMs, undefined, { signal: this.#signal })
      return await this.#send(request).catch((error) => {
        this.#signal.throwIfAborted()
        const { name, option, url } = this.address
        throw new CommandError(
          `${name} does not answer ${request.method} ${url}${request.path}: ${this.#reasonOf(error)}. Check ${option}, and whether it runs.`,
        )
      })
    }
  }

  async #send({ method, path, headers, body, token }: ComparedRequest): Promise<TimedAnswer> {
    const started = performance.now()
    const response = await fetch(`${this.address.url}${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(token === 'none'
          ? {}
          : { Authorization: `Bearer ${token === 'wrong' ? WRONG_TOKEN : this.address.token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(this.#timings.answerMs)]),
    })
    const bytes = await readLimited(response, this.#maxAnswerBytes)
    const ms = performance.now() - started
    const { status } = response
    return { status, headers: Object.fromEntries(response.headers), body: bytes, ms }
  }

  /** The reason of a failed connection, which `fetch` has in the cause of its error. */
  #reasonOf(error: unknown): string {
    const { name = '', message = String(error), cause } = error as Partial<Error>
    if (name === 'TimeoutError') return `no answer within ${this.#timings.answerMs / 1000} s`
    return cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : message
  }
}

/** Longest answer, in bytes without compression: an endpoint that is damaged may send without an end. */
export const MAX_COMPARED_ANSWER_BYTES = 256 * 1024 * 1024

/** @throws Error for a longer answer */
async function readLimited({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes / 1024 / 1024} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** wp-frames sets this header in all of its answers, and in none that it passes on. */
const isOfWpFrames = ({ headers }: ComparedAnswer): boolean => 'x-request-id' in headers
