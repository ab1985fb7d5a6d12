import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../support/random.ts'
import { type Behaviour, Receiver } from './receiver.ts'

/** One message of so many is refused: each delays the next one by five seconds, and what was written meanwhile must fit into the messages until the next refusal. */
const REFUSED_EVERY = 40
/** Longest time for an answer, in milliseconds. */
const SLOW_MS = 150
/** How long a receiver is away, and how long it is there in between, at most, in milliseconds. */
const AWAY = { ms: 3_000, pauseMs: 12_000 }

/** Receivers of all kinds. */
export type Receivers = {
  /** Answers at once. */
  readonly healthy: Receiver
  /** Those that must get everything. */
  readonly live: readonly Receiver[]
  /** Those that accept nothing. */
  readonly dead: readonly Receiver[]
  /** Goes away and comes back. */
  readonly dying: Receiver
}

/** The address of an API, and a token of a super administrator. */
export type Client = { readonly url: string; readonly token: string }

const accepts: Behaviour = () => ({ status: 204, ms: 0 })

/** Makes the receivers, starts those that listen, and creates their webhooks. */
export async function startReceivers(client: Client, random: Random): Promise<Receivers> {
  let messages = 0
  const refuses: Behaviour = () => {
    messages += 1
    return { status: messages % REFUSED_EVERY === 0 ? 500 : 200, ms: 0 }
  }
  const slowly: Behaviour = () => ({ status: 200, ms: random.below(SLOW_MS) })
  const healthy = await Receiver.make('healthy receiver', accepts)
  const refusing = await Receiver.make('receiver that answers 500', refuses)
  const slow = await Receiver.make('slow receiver', slowly)
  const dying = await Receiver.make('receiver that dies', accepts)
  const silent = await Receiver.make('receiver that never answers', () => undefined)
  const absent = await Receiver.make('receiver that never listens', accepts)
  const live = [healthy, refusing, slow, dying]
  for (const receiver of [...live, silent]) await receiver.start()
  for (const receiver of [...live, silent, absent]) await subscribe(client, receiver)
  return { healthy, live, dead: [silent, absent], dying }
}

/** Creates a webhook of the network that begins with the next change. */
async function subscribe(client: Client, receiver: Receiver): Promise<void> {
  const { webhook, secret } = await callWebhooks<{ webhook: { id: number }; secret: string }>(
    client,
    'POST',
    '',
    { url: receiver.url },
  )
  receiver.webhookId = webhook.id
  receiver.secret = secret
}

/** Lets a receiver go away and come back until the signal. Its operator then has it tried at once. It ends while it is there. */
export async function dieRepeatedly(
  client: Client,
  receiver: Receiver,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(random.below(AWAY.pauseMs), undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await receiver.stop()
    await sleep(random.below(AWAY.ms))
    await receiver.start()
    await callWebhooks(client, 'PATCH', `/${receiver.webhookId}`, { enabled: true })
  }
}

/** A sentence for each receiver that accepted nothing and is not shown as failing. */
export async function deadFaults(client: Client, dead: readonly Receiver[]): Promise<string[]> {
  type Listed = { id: number; tries: number; last_error: string | null }
  const { webhooks } = await callWebhooks<{ webhooks: Listed[] }>(client, 'GET', '')
  return dead.flatMap(({ name, webhookId }) => {
    const webhook = webhooks.find(({ id }) => id === webhookId)
    const isFailing = webhook !== undefined && webhook.tries > 0 && webhook.last_error !== null
    return isFailing ? [] : [`the ${name} is shown as ${JSON.stringify(webhook)}`]
  })
}

/** @throws Error for a refusal */
async function callWebhooks<Body>(
  { url, token }: Client,
  method: string,
  path: string,
  body?: object,
): Promise<Body> {
  const response = await fetch(`${url}/network/webhooks${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.ok) return answer as Body
  throw new Error(`${method} /network/webhooks${path}: ${JSON.stringify(answer)}`)
}
