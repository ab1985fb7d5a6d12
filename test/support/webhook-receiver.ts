import { Webhook } from 'standardwebhooks'
import type { ChangeEvent } from '../../src/changes/events/event.ts'
import { listen } from './listen.ts'

/** A message as a receiver gets it. */
export type ReceivedMessage = {
  readonly id: string
  /** Of its signatures. */
  readonly signatures: readonly string[]
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly type: string
    readonly timestamp: string
    readonly data: {
      readonly webhook_id: number
      readonly since: string
      readonly cursor: string
      readonly events_total: number
      readonly events: readonly ChangeEvent[]
    }
  }
}

type Answer = { readonly status: number; readonly headers?: Record<string, string> }

/** A receiver of webhooks in this process. */
export type WebhookReceiver = {
  readonly url: string
  readonly messages: ReceivedMessage[]
  /** Answers the next messages: a status, a status with headers, or nothing at all. */
  answer: (message: ReceivedMessage) => Answer | 'nothing' | Promise<Answer>
  /** The ids of the events of all messages. */
  eventIds(): string[]
  close(): Promise<void>
}

/** Starts a receiver that answers 204. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const messages: ReceivedMessage[] = []
  const server = await listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const headers = request.headers as Record<string, string>
    const message = {
      id: headers['webhook-id'] ?? '',
      signatures: (headers['webhook-signature'] ?? '').split(' '),
      text,
      headers,
      body: JSON.parse(text),
    }
    messages.push(message)
    const answer = await receiver.answer(message)
    if (answer === 'nothing') return
    response.writeHead(answer.status, answer.headers).end()
  })
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${server.port}/hook`,
    messages,
    answer: () => ({ status: 204 }),
    eventIds: () => messages.flatMap(({ body }) => body.data.events.map(({ id }) => id)),
    close: () => server.close(),
  }
  return receiver
}

/** Throws unless the package of the specification accepts the signature of a message. */
export function verify(secret: string, { text, headers }: ReceivedMessage): void {
  new Webhook(secret).verify(text, headers)
}
